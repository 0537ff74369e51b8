export const general = {
  cancel: 'Abbrechen',
  close: 'Schließen',
  closePanel: 'Seitenleiste schließen',
  copied: 'Kopiert',
  copyFailed: 'Kopieren fehlgeschlagen',
  loading: 'Wird geladen …',
  stillLoading: 'Wird noch geladen. Das dauert länger als sonst.',
  optional: 'optional',
  retry: 'Noch einmal versuchen',
  save: 'Speichern',
};

export const errors = {
  unreachable: 'Der Host hat nicht geantwortet. Prüfe, ob Portico noch läuft.',
  bad_answer: 'Der Host hat etwas geantwortet, das diese Seite nicht versteht. Lade die Seite neu.',
};

export const shell = {
  product: 'Portico',
  navigation: 'Navigation',
  skipToContent: 'Zum Inhalt springen',
  openNavigation: 'Navigation öffnen',
  home: 'Start',
  artifacts: 'Artefakte',
  connectors: 'Konnektoren',
  settings: 'Einstellungen',
  search: 'Suchen',
  controlKey: 'Strg',
  newConversation: 'Neue Unterhaltung',
  newConversationFailed: 'Ging nicht. Noch einmal versuchen',
  conversations: 'Unterhaltungen',
  noConversations: 'Noch keine',
  conversationActions: 'Aktionen für „{{title}}“',
  waitingApprovals_one: '{{count}} Aufruf wartet auf dich',
  waitingApprovals_other: '{{count}} Aufrufe warten auf dich',
  running: 'läuft',
  interrupted: 'unterbrochen',
  connectorsTroubled_one: '{{count}} Konnektor braucht Aufmerksamkeit',
  connectorsTroubled_other: '{{count}} Konnektoren brauchen Aufmerksamkeit',
  directMode: 'Direktmodus, kein Modell',
  modelConfigured: 'Modell eingerichtet',
  streamLost_one: 'Seit {{count}} Sekunde keine Verbindung zum Host. Was du siehst, kann veraltet sein.',
  streamLost_other: 'Seit {{count}} Sekunden keine Verbindung zum Host. Was du siehst, kann veraltet sein.',
  reconnectNow: 'Jetzt verbinden',
  newVersion: 'Der Host läuft jetzt mit Version {{version}}.',
  reload: 'Seite neu laden',
};

export const start = {
  loading: 'Portico wird geöffnet …',
  failed: 'Portico ist nicht erreichbar',
  noSession: 'Dieser Browser ist nicht angemeldet',
  noSessionHint:
    'Öffne den Startlink, den Portico beim Start ausgegeben hat. Einen neuen Link bekommst du mit diesem Befehl im Portico-Ordner:',
};

export const missing = {
  title: 'Nicht gefunden',
  heading: 'Hier ist nichts',
  hint: 'Was diese Adresse bezeichnet, wurde gelöscht oder gab es nie.',
  home: 'Zum Start',
};

export const home = {
  heading: 'Was möchtest du tun?',
  lead: 'Portico verbindet MCP-Server. Rufe ihre Werkzeuge auf, nutze die Apps, die sie mitbringen, und öffne Seiten, die mit deinen eigenen Konnektoren arbeiten.',
  view: 'Eine Ansicht ausprobieren',
  viewHint: 'Ruft ein Werkzeug des Demo-Konnektors auf und zeigt die App, die dazugehört.',
  artifact: 'Ein Artefakt öffnen',
  artifactHint: 'Eine veröffentlichte Seite, die aus einem Konnektor liest, sobald du es erlaubst.',
  connector: 'Einen Konnektor hinzufügen',
  connectorHint: 'Per Befehl, per Adresse oder durch Einfügen einer vorhandenen Konfiguration.',
  notReady: 'Gerade nicht verfügbar: Die Demo ist ausgeschaltet oder startet noch.',
  viewTitle: 'Demo: {{tool}}',
  linked: 'Ein Link hat dieses Werkzeug ausgewählt. Nichts läuft, bevor du auf Ausführen drückst.',
  modelOptional: 'Ein Modell ist nicht nötig. Ohne Modell rufst du die Werkzeuge selbst auf.',
  addModel: 'So richtest du ein Modell ein',
};

export const palette = {
  title: 'Suchen',
  label: 'Unterhaltungen, Werkzeuge, Konnektoren, Artefakte und Seiten durchsuchen',
  placeholder: 'Wohin?',
  results: 'Ergebnisse',
  none: 'Nichts gefunden',
  group: {
    actions: 'Aktion',
    pages: 'Seite',
    conversations: 'Unterhaltung',
    tools: 'Werkzeug',
    connectors: 'Konnektor',
    artifacts: 'Artefakt',
  },
};

export const shortcuts = {
  title: 'Tastenkürzel',
  palette: 'Alles durchsuchen',
  regions: 'Nächster Bereich der Seite',
  shortcuts: 'Diese Liste',
  composer: 'Zum Eingabefeld',
  home: 'Start',
  artifacts: 'Artefakte',
  connectors: 'Konnektoren',
  settings: 'Einstellungen',
  singleKeys: 'Kürzel mit einer einzelnen Taste',
  singleKeysHint: 'Sie wirken nie beim Schreiben. Kürzel mit Strg, ⌘ oder F6 gehen immer.',
};

export const settings = {
  model: 'Modell',
  modelName: 'Modell',
  modelEndpoint: 'Endpunkt',
  modelNone: 'Kein Modell eingerichtet.',
  modelNoneHint: 'Portico arbeitet im Direktmodus: Du wählst Werkzeuge und füllst ihre Formulare selbst aus.',
  modelHow: 'Damit ein Modell die Arbeit übernimmt, starte Portico mit dem Schlüssel eines Anthropic-Kontos:',
  modelExample: 'Beispiel mit Schlüssel',
  modelHowLocal: 'Jeder Endpunkt mit demselben Protokoll geht auch, auch ein lokaler:',
  modelExampleLocal: 'Beispiel mit lokalem Endpunkt',
  modelKey: 'Der Schlüssel bleibt in der Umgebung des Hosts. Er wird nicht gespeichert und hier nie gezeigt.',
  look: 'Darstellung und Tastatur',
  theme: 'Farbschema',
  themes: {
    system: 'System',
    light: 'Hell',
    dark: 'Dunkel',
  },
  language: 'Sprache',
  about: 'Über Portico',
  version: 'Version {{version}}',
  aboutText: 'Ein offener, selbst betriebener Host für MCP. Er sendet von sich aus nichts irgendwohin.',
  notIsolated: 'Ohne eigenen Speicher: Was diese Seite ablegt, ist weg, sobald sie schließt.',
  notIsolatedWhy: 'Warum?',
  notIsolatedTitle: 'Ansichten und Artefakte laufen ohne eigenen Speicher',
  notIsolatedHint:
    'Dieser Browser löst Namen unter localhost nicht auf. Ansichten und Artefakte bleiben von allem anderen getrennt, aber was sie speichern, ist weg, sobald sie schließen. Chrome, Edge und Firefox lösen diese Namen auf.',
};

export const link = {
  title: 'Diese Adresse öffnen?',
  titleFrom: '{{from}} möchte eine Adresse öffnen',
  hint: 'Sie stammt von jemand anderem. Sie öffnet sich in einem neuen Tab.',
  open: 'Öffnen',
};

export const prompt = {
  messageTitle: '{{from}} möchte eine Nachricht senden',
  messageHint: 'Sie würde in dieser Unterhaltung erscheinen, als hättest du sie geschrieben.',
  messageSend: 'Senden',
  messageRefuse: 'Nicht senden',
  consentTitle: '„{{artifact}}“ möchte {{connector}} verwenden',
  consentTitleMany_one: '„{{artifact}}“ möchte {{count}} Konnektor verwenden',
  consentTitleMany_other: '„{{artifact}}“ möchte {{count}} Konnektoren verwenden',
  consentHint:
    'Die Seite würde diese Werkzeuge über deinen eigenen Konnektor aufrufen, solange sie offen ist. In ihren Details kannst du das später ändern.',
  consentTools_one: 'Dieses Werkzeug:',
  consentTools_other: 'Diese {{count}} Werkzeuge:',
  allow: 'Erlauben',
  deny: 'Ablehnen',
};
