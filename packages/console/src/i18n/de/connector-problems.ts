import type { ConnectorProblemKind } from '@portico/api';

type Texts = Readonly<Record<ConnectorProblemKind, string>>;

const CHECK_COMMAND = 'Prüfe den Befehl auf Tippfehler, oder gib den ganzen Pfad des Programms an.';
const CHECK_ADDRESS = 'Prüfe die Adresse, und ob der Server läuft.';
const CHECK_ENDPOINT = 'Prüfe, ob dies die Adresse eines MCP-Endpunkts ist; oft endet sie mit /mcp.';
const LAST_LINES =
  'Seine letzten Zeilen unten sagen vielleicht, warum; berichtige den Befehl oder seine Variablen und verbinde neu.';
const CHECK_SETTINGS = 'Prüfe die Einstellungen und verbinde neu.';
const RECONNECT_WHEN_FREE = 'Sieh nach, ob er überlastet ist oder hängt, und verbinde dann neu.';

export const problemMessage: Texts = {
  commandNotFound: 'Der Befehl „{{command}}“ wurde auf diesem Rechner nicht gefunden.',
  programNotFound: 'Der Befehl wurde auf diesem Rechner nicht gefunden.',
  notExecutable: 'Die Datei ist kein Programm, das ausgeführt werden darf.',
  folderNotFound: 'Den Arbeitsordner gibt es nicht.',
  spawnFailed: 'Der Befehl konnte nicht gestartet werden: {{reason}}',
  processEnded: 'Der Prozess des Servers ist zu Ende gegangen.',
  processExitCode: 'Der Prozess des Servers ist mit dem Exit-Code {{exitCode}} zu Ende gegangen.',
  processSignal: 'Der Prozess des Servers ist durch das Signal {{signal}} zu Ende gegangen.',
  addressNotFound: 'Für {{host}} wurde keine Adresse gefunden.',
  notListening: '{{host}} hat die Verbindung nicht angenommen ({{systemCode}}).',
  notEncrypted: 'Zu {{host}} kam keine verschlüsselte Verbindung zustande ({{systemCode}}).',
  addressRefused: '{{host}} führt zu einer Adresse, die dieser Konnektor nicht erreichen darf.',
  unreachable: '{{host}} war nicht zu erreichen.',
  signIn: 'Der Server verlangt eine Anmeldung (HTTP 401).',
  renewalFailed:
    'Die Anmeldung ließ sich gerade nicht erneuern: Ihr Server hat nicht so geantwortet, wie er sollte.',
  forbidden: 'Der Server verbietet das (HTTP 403).',
  moreScopes: 'Der Server will dafür mehr Rechte, als ihm eingeräumt wurden.',
  stillRefused: 'Der Server lehnt das auch nach zwei Anmeldungen ab.',
  noEndpoint: 'Unter dieser Adresse gibt es keinen MCP-Endpunkt (HTTP {{status}}).',
  moved: 'Der Server verweist an einen anderen Ort (HTTP {{status}}): {{place}}.',
  movedNowhere: 'Der Server verweist an einen anderen Ort, nennt aber keinen (HTTP {{status}}).',
  serverFailed: 'Der Server ist gescheitert (HTTP {{status}}).',
  refusedStatus: 'Der Server hat die Anfrage abgelehnt (HTTP {{status}}).',
  refused: 'Der Server hat die Anfrage abgelehnt: {{reason}}',
  noMessages: 'Die Adresse antwortet, aber nicht mit MCP-Nachrichten.',
  noSharedVersion: 'Der Server und Portico haben keine gemeinsame Protokollversion.',
  notMcp: 'Der Server antwortet nicht so, wie MCP es festlegt.',
  brokenAnswer: 'Der Server hat etwas geantwortet, das gegen das Protokoll verstößt.',
  noMessage: 'Der Server hat etwas gesendet, das keine Nachricht des Protokolls ist.',
  tooLarge: 'Der Server hat eine Nachricht gesendet, die die Größengrenze überschreitet.',
  timeout: 'Der Server hat nicht rechtzeitig geantwortet.',
  pingMissed: 'Der Server hat in letzter Zeit nicht geantwortet.',
  connectionLost: 'Der Server hat angehalten; die Handlung kann geschehen sein.',
  notReady: 'Der Konnektor ist nicht bereit.',
  closed: 'Der Server hat die Verbindung geschlossen.',
  secretUnreadable: 'Ein gespeicherter Wert lässt sich mit dem jetzigen Schlüssel nicht entschlüsseln.',
  other: 'Die Verbindung ist gescheitert: {{reason}}',
  unexplained: 'Die Verbindung ist gescheitert, ein Grund wurde nicht genannt.',
};

export const problemRemedy: Texts = {
  commandNotFound: CHECK_COMMAND,
  programNotFound: CHECK_COMMAND,
  notExecutable: 'Gib ihr das Recht, ausgeführt zu werden, oder setze das Programm davor, das sie ausführt.',
  folderNotFound: 'Lege den Ordner an, oder wähle einen anderen.',
  spawnFailed: CHECK_COMMAND,
  processEnded: LAST_LINES,
  processExitCode: LAST_LINES,
  processSignal: LAST_LINES,
  addressNotFound: 'Prüfe den Namen in der Adresse und das Netz.',
  notListening: CHECK_ADDRESS,
  notEncrypted: 'Prüfe das Zertifikat des Servers, und ob die Adresse mit http: beginnen müsste.',
  addressRefused:
    'Läuft der Server auf diesem Computer, dann gib seine Adresse als 127.0.0.1 oder localhost an.',
  unreachable: CHECK_ADDRESS,
  signIn: 'Füge den Header hinzu, den er will, etwa Authorization mit einem gültigen Token.',
  renewalFailed: 'Du bleibst angemeldet. Versuche es gleich noch einmal.',
  forbidden: 'Prüfe, ob das Token in den Headern diesen Server benutzen darf.',
  moreScopes: 'Melde dich an, wo der Konnektor darum bittet.',
  stillRefused: 'Frage bei den Betreibern des Servers nach, was dem Konto fehlt.',
  noEndpoint: CHECK_ENDPOINT,
  moved: 'Wenn du diesem Ort traust, gib seine Adresse als Adresse des Konnektors an.',
  movedNowhere: CHECK_ENDPOINT,
  serverFailed: 'Versuche es später noch einmal, oder sieh in das Protokoll des Servers.',
  refusedStatus: CHECK_ENDPOINT,
  refused: CHECK_ENDPOINT,
  noMessages: CHECK_ENDPOINT,
  noSharedVersion: 'Aktualisiere den Server oder Portico.',
  notMcp: 'Prüfe, ob Befehl oder Adresse zu einem MCP-Server gehören.',
  brokenAnswer: 'Aktualisiere den Server.',
  noMessage:
    'Aktualisiere den Server; einer, der als Befehl läuft, darf nichts anderes auf seine Ausgabe schreiben.',
  tooLarge: 'Verlange weniger auf einmal von ihm.',
  timeout: RECONNECT_WHEN_FREE,
  pingMissed: 'Vielleicht ist er mit einem Aufruf beschäftigt. Verbinde neu, wenn es so bleibt.',
  connectionLost: 'Sieh nach, ob sie geschehen ist, bevor du es noch einmal versuchst.',
  notReady: 'Sein Zustand sagt, warum.',
  closed: 'Seine letzten Zeilen unten sagen vielleicht, warum; verbinde dann neu.',
  secretUnreadable:
    'Lege den früheren Schlüssel zurück und starte Portico neu, oder bearbeite den Konnektor und gib seine geheimen Werte neu ein.',
  other: CHECK_SETTINGS,
  unexplained: CHECK_SETTINGS,
};
