import process from 'node:process';

/** Variables a child needs to find its home, its programs and its language of paths. */
const POSIX_NAMES: readonly string[] = ['HOME', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'USER'];

const WINDOWS_NAMES: readonly string[] = [
  'APPDATA',
  'HOMEDRIVE',
  'HOMEPATH',
  'LOCALAPPDATA',
  'PATH',
  'PROCESSOR_ARCHITECTURE',
  'PROGRAMFILES',
  'SYSTEMDRIVE',
  'SYSTEMROOT',
  'TEMP',
  'USERNAME',
  'USERPROFILE',
];

/** Names that children inherit on a platform; everything else stays with the parent. */
function inheritedNames(platform: NodeJS.Platform): readonly string[] {
  return platform === 'win32' ? WINDOWS_NAMES : POSIX_NAMES;
}

/** Names that children inherit on this platform. */
export const DEFAULT_INHERITED_ENV_VARS: readonly string[] = inheritedNames(process.platform);

/**
 * The environment of a child that was given none: the short safe list and nothing else, so that
 * keys and tokens of the parent do not reach servers.
 *
 * @param source where values are read from; this process by default
 * @param platform decides which names are on the list
 */
export function getDefaultEnvironment(
  source: Readonly<Record<string, string | undefined>> = process.env,
  platform: NodeJS.Platform = process.platform,
): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const name of inheritedNames(platform)) {
    const value = source[name];
    // Exported shell functions look like values that begin with "()" and could run as code.
    if (value !== undefined && !value.startsWith('()')) environment[name] = value;
  }
  return environment;
}
