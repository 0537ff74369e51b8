import {
  general,
  errors,
  shell,
  start,
  missing,
  home,
  palette,
  shortcuts,
  settings,
  link,
  prompt,
} from './en/shell.ts';
import { connectors, hints } from './en/connectors.ts';
import {
  conversation,
  composer,
  call,
  approval,
  callSignIn,
  problem,
  content,
  json,
  details,
  view,
} from './en/conversation.ts';
import { form } from './en/form.ts';
import { artifacts } from './en/artifacts.ts';
import { inspector } from './en/inspector.ts';
import { signIn } from './en/sign-in.ts';

/** English texts; the other catalogues have the same shape. */
export const en = {
  approval,
  callSignIn,
  artifacts,
  call,
  composer,
  connectors,
  content,
  conversation,
  details,
  errors,
  form,
  general,
  hints,
  home,
  inspector,
  json,
  link,
  missing,
  palette,
  problem,
  prompt,
  settings,
  shell,
  shortcuts,
  signIn,
  start,
  view,
};
