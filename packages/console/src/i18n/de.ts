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
} from './de/shell.ts';
import { connectors, hints } from './de/connectors.ts';
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
} from './de/conversation.ts';
import { form } from './de/form.ts';
import { artifacts } from './de/artifacts.ts';
import { inspector } from './de/inspector.ts';
import { signIn } from './de/sign-in.ts';
import type { en } from './en.ts';

/** German texts. The type makes a missing or superfluous text a compile error. */
export const de: typeof en = {
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
