import { isRecord } from '@portico/spec';
import { listFault, membersFault, textFault, wordFault } from './setting-faults.ts';
import type { SettingFault } from './setting-faults.ts';

const iconMembersFault = membersFault({
  src: wordFault,
  mimeType: textFault,
  sizes: listFault(textFault),
});
const iconFault: SettingFault = (value, member) =>
  isRecord(value) && value['src'] !== undefined ? iconMembersFault(value, member) : `${member}.src`;

const infoMembersFault = membersFault({
  name: wordFault,
  version: textFault,
  title: textFault,
  description: textFault,
  websiteUrl: textFault,
  icons: listFault(iconFault),
});

/** What is told of the program: a name and a version at least. */
export const clientInfoFault: SettingFault = (value, member) => {
  if (!isRecord(value)) return member;
  const missing = ['name', 'version'].find((name) => value[name] === undefined);
  return missing === undefined ? infoMembersFault(value, member) : `${member}.${missing}`;
};
