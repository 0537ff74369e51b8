export const general = {
  cancel: 'Cancel',
  close: 'Close',
  closePanel: 'Close panel',
  copied: 'Copied',
  copyFailed: 'Copying failed',
  loading: 'Loading…',
  stillLoading: 'Still loading. This takes longer than usual.',
  optional: 'optional',
  retry: 'Try again',
  save: 'Save',
};

export const errors = {
  unreachable: 'The host did not answer. Check that Portico is still running.',
  bad_answer: 'The host gave an answer that this page does not understand. Reload the page.',
};

export const shell = {
  product: 'Portico',
  navigation: 'Navigation',
  skipToContent: 'Skip to content',
  openNavigation: 'Open navigation',
  home: 'Home',
  artifacts: 'Artifacts',
  connectors: 'Connectors',
  settings: 'Settings',
  search: 'Search',
  controlKey: 'Ctrl',
  newConversation: 'New conversation',
  newConversationFailed: 'Could not start one. Try again',
  conversations: 'Conversations',
  noConversations: 'None yet',
  conversationActions: 'Actions for “{{title}}”',
  waitingApprovals_one: '{{count}} call waits for you',
  waitingApprovals_other: '{{count}} calls wait for you',
  running: 'running',
  interrupted: 'interrupted',
  connectorsTroubled_one: '{{count}} connector needs attention',
  connectorsTroubled_other: '{{count}} connectors need attention',
  directMode: 'Direct mode, no model',
  modelConfigured: 'Model configured',
  streamLost_one: 'No connection to the host for {{count}} second. What you see may be out of date.',
  streamLost_other: 'No connection to the host for {{count}} seconds. What you see may be out of date.',
  reconnectNow: 'Reconnect now',
  newVersion: 'The host now runs version {{version}}.',
  reload: 'Reload page',
};

export const start = {
  loading: 'Opening Portico…',
  failed: 'Portico cannot be reached',
  noSession: 'This browser is not signed in',
  noSessionHint:
    'Open the launch link that Portico printed when it started. For a new link, run this in the Portico folder:',
};

export const missing = {
  title: 'Not found',
  heading: 'There is nothing here',
  hint: 'What this address names was deleted, or it never existed.',
  home: 'Go to the start',
};

export const home = {
  heading: 'What would you like to do?',
  lead: 'Portico connects MCP servers. Call their tools, use the apps they bring along, and open pages that work with your own connectors.',
  view: 'Try a view',
  viewHint: 'Calls a tool of the demo connector and shows the app that comes with it.',
  artifact: 'Open an artifact',
  artifactHint: 'A published page that reads from a connector, once you allow it.',
  connector: 'Add a connector',
  connectorHint: 'By command, by address, or by pasting a configuration you already have.',
  notReady: 'Not available right now: the demo is switched off or still starting.',
  viewTitle: 'Demo: {{tool}}',
  linked: 'A link filled in this tool. Nothing runs until you press Run.',
  modelOptional: 'A model is optional. Without one, you call the tools yourself.',
  addModel: 'How to add a model',
};

export const palette = {
  title: 'Search',
  label: 'Search conversations, tools, connectors, artifacts and pages',
  placeholder: 'Where to?',
  results: 'Results',
  none: 'Nothing found',
  group: {
    actions: 'Action',
    pages: 'Page',
    conversations: 'Conversation',
    tools: 'Tool',
    connectors: 'Connector',
    artifacts: 'Artifact',
  },
};

export const shortcuts = {
  title: 'Keyboard shortcuts',
  palette: 'Search everything',
  regions: 'Next region of the page',
  shortcuts: 'This list',
  composer: 'To the message box',
  home: 'Home',
  artifacts: 'Artifacts',
  connectors: 'Connectors',
  settings: 'Settings',
  singleKeys: 'Shortcuts with a single key',
  singleKeysHint: 'They never act while you type. Those with Ctrl, ⌘ or F6 always work.',
};

export const settings = {
  model: 'Model',
  modelName: 'Model',
  modelEndpoint: 'Endpoint',
  modelNone: 'No model is configured.',
  modelNoneHint: 'Portico works in direct mode: you choose tools and fill in their forms yourself.',
  modelHow: 'To let a model drive, start Portico with the key of an Anthropic account:',
  modelExample: 'Example with a key',
  modelHowLocal: 'Any endpoint that speaks the same protocol works too, a local one included:',
  modelExampleLocal: 'Example with a local endpoint',
  modelKey: 'The key stays in the environment of the host. It is not stored and never shown here.',
  look: 'Appearance and keyboard',
  theme: 'Theme',
  themes: {
    system: 'System',
    light: 'Light',
    dark: 'Dark',
  },
  language: 'Language',
  about: 'About',
  version: 'Version {{version}}',
  aboutText: 'An open, self-hosted host for MCP. It sends nothing anywhere by itself.',
  notIsolated: 'Without storage of its own: what this page stores is gone when it closes.',
  notIsolatedWhy: 'Why?',
  notIsolatedTitle: 'Views and artifacts run without storage of their own',
  notIsolatedHint:
    'This browser does not resolve names below localhost. Views and artifacts are still kept apart from everything else, but what they store is gone when they close. Current Chrome, Edge and Firefox resolve these names.',
};

export const link = {
  title: 'Open this address?',
  titleFrom: '{{from}} wants to open an address',
  hint: 'It was written by somebody else. It opens in a new tab.',
  open: 'Open',
};

export const prompt = {
  messageTitle: '{{from}} wants to send a message',
  messageHint: 'It would appear in this conversation as if you had written it.',
  messageSend: 'Send',
  messageRefuse: 'Do not send',
  consentTitle: '“{{artifact}}” wants to use {{connector}}',
  consentTitleMany_one: '“{{artifact}}” wants to use {{count}} connector',
  consentTitleMany_other: '“{{artifact}}” wants to use {{count}} connectors',
  consentHint:
    'It would call these tools through your own connector, whenever the page is open. You can change this later in its details.',
  consentTools_one: 'This tool:',
  consentTools_other: 'These {{count}} tools:',
  allow: 'Allow',
  deny: 'Deny',
};
