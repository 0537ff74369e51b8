export const conversation = {
  title: 'Titel',
  untitled: 'Unterhaltung ohne Titel',
  actions: 'Aktionen der Unterhaltung',
  rename: 'Umbenennen',
  renameTitle: 'Unterhaltung umbenennen',
  delete: 'Löschen',
  deleteTitle: '„{{title}}“ löschen?',
  deleteHint: 'Nachrichten, Aufrufe und Ergebnisse gehen mit verloren.',
  deleteFailed: 'Löschen fehlgeschlagen',
  opening: 'Unterhaltung',
  loadFailed: 'Diese Unterhaltung konnte nicht geladen werden',
  empty: 'Noch nichts gesagt',
  emptyHint: 'Schreib unten eine Nachricht, oder tippe /, um selbst ein Werkzeug aufzurufen.',
  emptyDirect: 'Wähle ein Werkzeug',
  emptyDirectHint:
    'Hier spielst du das Modell: Fülle das Formular aus, drücke auf Ausführen, und das Ergebnis bleibt in dieser Unterhaltung.',
  toolsOf: 'Werkzeuge von {{connector}}',
  moreTools_one: 'und {{count}} weiteres',
  moreTools_other: 'und {{count}} weitere',
  toNewest: 'Zum Neuesten',
  youSaid: 'Du:',
  modelSaid: '{{model}}:',
  thinking: 'Denkt nach …',
};

export const composer = {
  message: 'Nachricht',
  launcher: 'Werkzeug zum Aufrufen suchen',
  placeholder: 'Nachricht, oder / für Werkzeuge',
  placeholderDirect: 'Tippe / oder einen Teil des Werkzeugnamens',
  placeholderNoTools: 'Füge einen Konnektor hinzu, um Werkzeuge aufzurufen',
  tools: 'Werkzeuge',
  noTool: 'Kein Werkzeug passt.',
  directMode: 'Direktmodus: Du rufst die Werkzeuge auf',
  run: 'Ausführen',
  runKeys: 'Strg ↵',
  closeForm: 'Formular schließen',
  send: 'Senden',
  stop: 'Anhalten',
};

export const call = {
  arguments: 'Argumente',
  noArguments: 'Keine Argumente',
  result: 'Ergebnis',
  errorResult: 'Das Werkzeug meldet einen Fehler',
  emptyResult: 'Das Werkzeug hat ohne Inhalt geantwortet.',
  structured: 'Strukturierter Inhalt',
  details: 'Details zu {{tool}}',
  detailsShort: 'Details',
  stop: 'Anhalten',
  running: 'Läuft …',
  progress: 'Fortschritt von {{tool}}',
  step: '{{progress}} von {{total}}',
  ended: '{{tool}}: {{status}}',
  status: {
    waiting_approval: 'wartet auf Freigabe',
    waiting_sign_in: 'wartet auf Anmeldung',
    running: 'läuft',
    done: 'fertig',
    tool_error: 'das Werkzeug meldet einen Fehler',
    failed: 'fehlgeschlagen',
    denied: 'abgelehnt',
    cancelled: 'angehalten',
    unknown: 'Ausgang unbekannt',
  },
  unknownTitle: 'Der Host wurde währenddessen beendet',
  unknownHint: 'Es kann geschehen sein. Prüfe das, bevor du es noch einmal aufrufst.',
};

export const callSignIn = {
  title: '{{name}} verlangt, dass du dich neu anmeldest',
  hint: 'Dieser Aufruf wartet und hat noch nichts bewirkt. Sobald du angemeldet bist, geht er von selbst los, ein einziges Mal.',
  moreHint:
    'Dieser Aufruf wartet und hat noch nichts bewirkt. Sobald du mehr erlaubt hast, geht er von selbst los, ein einziges Mal.',
  applicationTitle: '{{name}} lässt die Anwendung das nicht tun',
  applicationHint:
    'Dieser Aufruf wartet und hat noch nichts bewirkt. Sobald die Anwendung das darf, geht er von selbst los, ein einziges Mal.',
  stop: 'Nicht warten',
  more: 'Mehr dazu',
};

export const approval = {
  title: '„{{tool}}“ von {{connector}} erlauben?',
  description: 'Beschreibung des Servers',
  hints: 'Was der Server darüber sagt',
  origin: {
    model: 'Das Modell möchte aufrufen:',
    person: 'Du möchtest aufrufen:',
  },
  allowOnce: 'Einmal erlauben',
  deny: 'Ablehnen',
  denyWithMessage: 'Mit dieser Nachricht ablehnen',
  addMessage: 'Mit Nachricht ablehnen …',
  message: 'Nachricht an das Modell',
  messageHint: 'Das Modell liest sie wörtlich.',
};

export const problem = {
  continue: 'Fortsetzen',
  openSettings: 'So setzt du einen Schlüssel',
  title: {
    provider_auth: 'Das Modell hat den Schlüssel abgelehnt',
    provider_rate_limited: 'Zu viele Anfragen an das Modell',
    provider_overloaded: 'Das Modell ist überlastet',
    provider_stream_cut: 'Die Antwort ist abgebrochen',
    provider_bad_request: 'Das Modell hat die Anfrage nicht angenommen',
    provider_unreachable: 'Das Modell ist nicht erreichbar',
    too_many_rounds: 'Das Modell hat sich im Kreis gedreht',
    interrupted: 'Dieser Durchgang wurde unterbrochen',
    internal: 'In Portico ist etwas schiefgegangen',
  },
  remedy: {
    provider_auth: 'Starte Portico mit einem gültigen ANTHROPIC_API_KEY und versuche es noch einmal.',
    provider_rate_limited: 'Warte ein wenig und versuche es noch einmal. Deine Nachricht bleibt erhalten.',
    provider_overloaded: 'Versuche es in einer Minute noch einmal. Deine Nachricht bleibt erhalten.',
    provider_stream_cut: 'Was schon da ist, bleibt erhalten. Mit Fortsetzen macht das Modell weiter.',
    provider_bad_request: 'Eine kürzere Nachricht oder eine neue Unterhaltung kann helfen.',
    provider_unreachable: 'Prüfe das Netz und ANTHROPIC_BASE_URL und versuche es noch einmal.',
    too_many_rounds:
      'Es hat viele Male nacheinander nach Werkzeugen gefragt. Mit Fortsetzen macht es weiter; oder sage mit anderen Worten, was du willst.',
    interrupted: 'Der Host wurde mittendrin beendet. Was schon da ist, bleibt erhalten.',
    internal: 'Versuche es noch einmal. Bleibt es dabei, sagt das Protokoll des Hosts mehr.',
  },
};

export const content = {
  text: 'Text als Baum',
  showAll_one: '{{count}} weiteres Zeichen zeigen',
  showAll_other: '{{count}} weitere Zeichen zeigen',
  asMarkdown: 'Formatiert zeigen',
  asText: 'Als Text zeigen',
  image: 'Bild des Werkzeugs, {{width}} × {{height}}',
  imageUnreadable: 'Bild, das sich nicht zeigen lässt',
  loadImage: 'Bild von {{host}} laden {{alt}}',
  audio: 'Ton des Werkzeugs',
  resource: 'Eingebettete Ressource',
  unknown: 'Inhalt der Art {{type}}',
};

export const json = {
  entries_one: '{{count}} Eintrag',
  entries_other: '{{count}} Einträge',
  fields_one: '{{count}} Feld',
  fields_other: '{{count}} Felder',
  more_one: '{{count}} weiterer',
  more_other: '{{count}} weitere',
};

export const details = {
  title: '{{tool}}',
  connector: 'Konnektor',
  tool: 'Werkzeug',
  status: 'Stand',
  origin: 'Aufgerufen von',
  by: {
    person: 'dir',
    model: 'dem Modell',
  },
  time: 'Begonnen',
  rawResult: 'Ergebnis, wie es kam',
  view: 'Ansicht',
  viewState: 'Stand',
  viewStatus: {
    opening: 'wird geöffnet',
    loading: 'startet',
    ready: 'bereit',
    failed: 'fehlgeschlagen',
  },
  appName: 'App',
  resource: 'Ressource',
  viewOrigin: 'Eigener Ursprung',
  profile: 'Host-Regeln',
  profileOpen: 'open',
  features: 'Browserfunktionen',
  nothing: 'keine',
  grantedOrigins: 'Erlaubte Ursprünge',
  noOrigins: 'Keine: Sie kommt an keine anderen Orte.',
  appTools_one: 'Werkzeuge der App ({{count}})',
  appTools_other: 'Werkzeuge der App ({{count}})',
  noAppTools: 'Die App bietet keine an.',
  refusals: 'Vom Host abgelehnt',
  noRefusals: 'Bisher nichts.',
};

export const view = {
  label: 'Ansicht von {{tool}}, {{connector}}',
  opening: 'Ansicht wird geöffnet …',
  failed: 'Die Ansicht kann nicht gezeigt werden',
  resultBelow: 'Das Ergebnis darüber ist vollständig.',
  reload: 'Ansicht von {{tool}} neu laden',
  details: 'Details der Ansicht von {{tool}}',
};
