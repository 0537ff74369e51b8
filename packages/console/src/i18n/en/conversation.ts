export const conversation = {
  title: 'Title',
  untitled: 'Untitled conversation',
  actions: 'Conversation actions',
  rename: 'Rename',
  renameTitle: 'Rename conversation',
  delete: 'Delete',
  deleteTitle: 'Delete “{{title}}”?',
  deleteHint: 'Its messages, calls and results go with it.',
  deleteFailed: 'Deleting failed',
  opening: 'Conversation',
  loadFailed: 'This conversation could not be loaded',
  empty: 'Nothing said yet',
  emptyHint: 'Write a message below, or type / to call a tool yourself.',
  emptyDirect: 'Pick a tool to call',
  emptyDirectHint:
    'You play the model here: fill in the form, press Run, and the result stays in this conversation.',
  toolsOf: 'Tools of {{connector}}',
  moreTools_one: 'and {{count}} more',
  moreTools_other: 'and {{count}} more',
  toNewest: 'To the newest',
  youSaid: 'You:',
  modelSaid: '{{model}}:',
  thinking: 'Thinking…',
};

export const composer = {
  message: 'Message',
  launcher: 'Search a tool to call',
  placeholder: 'Message, or / for tools',
  placeholderDirect: 'Type / or part of a tool’s name',
  placeholderNoTools: 'Add a connector to have tools to call',
  tools: 'Tools',
  noTool: 'No tool matches.',
  directMode: 'Direct mode: you call the tools',
  run: 'Run',
  runKeys: 'Ctrl ↵',
  closeForm: 'Close form',
  send: 'Send',
  stop: 'Stop',
};

export const call = {
  arguments: 'Arguments',
  noArguments: 'No arguments',
  result: 'Result',
  errorResult: 'The tool reported an error',
  emptyResult: 'The tool answered without content.',
  structured: 'Structured content',
  details: 'Details of {{tool}}',
  detailsShort: 'Details',
  stop: 'Stop',
  running: 'Running…',
  progress: 'Progress of {{tool}}',
  step: '{{progress}} of {{total}}',
  ended: '{{tool}}: {{status}}',
  status: {
    waiting_approval: 'waits for approval',
    waiting_sign_in: 'waits for a sign-in',
    running: 'running',
    done: 'done',
    tool_error: 'the tool reported an error',
    failed: 'failed',
    denied: 'denied',
    cancelled: 'stopped',
    unknown: 'outcome unknown',
  },
  unknownTitle: 'The host stopped while this ran',
  unknownHint: 'It may have happened. Check before you call it again.',
};

export const callSignIn = {
  title: '{{name}} wants you to sign in again',
  hint: 'This call waits; it has done nothing yet. Once you are signed in it is sent by itself, once.',
  moreHint:
    'This call waits; it has done nothing yet. Once you have allowed more it is sent by itself, once.',
  applicationTitle: '{{name}} does not let the application do this',
  applicationHint:
    'This call waits; it has done nothing yet. Once the application may do it, it is sent by itself, once.',
  stop: 'Do not wait',
  more: 'More about it',
};

export const approval = {
  title: 'Allow “{{tool}}” from {{connector}}?',
  description: 'Description by the server',
  hints: 'What the server says about it',
  origin: {
    model: 'The model wants to call',
    person: 'You asked to call',
  },
  allowOnce: 'Allow once',
  deny: 'Deny',
  denyWithMessage: 'Deny with this message',
  addMessage: 'Deny with a message…',
  message: 'Message to the model',
  messageHint: 'The model reads it word for word.',
};

export const problem = {
  continue: 'Continue',
  openSettings: 'How to set a key',
  title: {
    provider_auth: 'The model refused the key',
    provider_rate_limited: 'Too many requests to the model',
    provider_overloaded: 'The model is overloaded',
    provider_stream_cut: 'The answer broke off',
    provider_bad_request: 'The model did not accept the request',
    provider_unreachable: 'The model cannot be reached',
    too_many_rounds: 'The model went round in circles',
    interrupted: 'This turn was interrupted',
    internal: 'Something went wrong in Portico',
  },
  remedy: {
    provider_auth: 'Start Portico with a valid ANTHROPIC_API_KEY, then try again.',
    provider_rate_limited: 'Wait a little, then try again. Your message is kept.',
    provider_overloaded: 'Try again in a minute. Your message is kept.',
    provider_stream_cut: 'What came so far is kept. Continue to let the model go on.',
    provider_bad_request: 'A shorter message or a new conversation may help.',
    provider_unreachable: 'Check the network and ANTHROPIC_BASE_URL, then try again.',
    too_many_rounds:
      'It asked for tools many times in a row. Continue to let it go on, or say what you want in other words.',
    interrupted: 'The host was stopped in the middle. What came so far is kept.',
    internal: 'Try again. If it stays, the host’s log says more.',
  },
};

export const content = {
  text: 'Text as a tree',
  showAll_one: 'Show {{count}} more character',
  showAll_other: 'Show {{count}} more characters',
  asMarkdown: 'Show formatted',
  asText: 'Show as text',
  image: 'Image from the tool, {{width}} × {{height}}',
  imageUnreadable: 'Image that cannot be shown',
  loadImage: 'Load image from {{host}} {{alt}}',
  audio: 'Audio from the tool',
  resource: 'Embedded resource',
  unknown: 'Content of kind {{type}}',
};

export const json = {
  entries_one: '{{count}} entry',
  entries_other: '{{count}} entries',
  fields_one: '{{count}} field',
  fields_other: '{{count}} fields',
  more_one: '{{count}} more',
  more_other: '{{count}} more',
};

export const details = {
  title: '{{tool}}',
  connector: 'Connector',
  tool: 'Tool',
  status: 'State',
  origin: 'Called by',
  by: {
    person: 'you',
    model: 'the model',
  },
  time: 'Started',
  rawResult: 'Result as it came',
  view: 'View',
  viewState: 'State',
  viewStatus: {
    opening: 'opening',
    loading: 'starting',
    ready: 'ready',
    failed: 'failed',
  },
  appName: 'App',
  resource: 'Resource',
  viewOrigin: 'Own origin',
  profile: 'Host rules',
  profileOpen: 'open',
  features: 'Browser features',
  nothing: 'none',
  grantedOrigins: 'Granted origins',
  noOrigins: 'None: it cannot reach other places.',
  appTools_one: 'Tools of the app ({{count}})',
  appTools_other: 'Tools of the app ({{count}})',
  noAppTools: 'The app offers none.',
  refusals: 'Refused by the host',
  noRefusals: 'Nothing so far.',
};

export const view = {
  label: 'View of {{tool}} from {{connector}}',
  opening: 'Opening the view…',
  failed: 'The view cannot be shown',
  resultBelow: 'The result above is complete.',
  reload: 'Reload the view of {{tool}}',
  details: 'Details of the view of {{tool}}',
};
