import { describe, expect, it } from 'vitest';
import { defaultDataFolder } from './default-folder.ts';

describe('the default data folder', () => {
  it.each([
    [{ platform: 'linux', home: '/home/ada' }, '/home/ada/.local/share/portico'],
    [{ platform: 'linux', home: '/home/ada', xdgDataHome: '/data' }, '/data/portico'],
    [{ platform: 'linux', home: '/home/ada', xdgDataHome: 'relative' }, '/home/ada/.local/share/portico'],
    [{ platform: 'freebsd', home: '/home/ada' }, '/home/ada/.local/share/portico'],
    [{ platform: 'darwin', home: '/Users/ada' }, '/Users/ada/Library/Application Support/Portico'],
    [{ platform: 'win32', home: 'C:\\Users\\ada' }, 'C:\\Users\\ada\\AppData\\Local\\Portico'],
    [{ platform: 'win32', home: 'C:\\Users\\ada', localAppData: 'D:\\Local' }, 'D:\\Local\\Portico'],
  ])('of %o is %s', (question, folder) => {
    expect(defaultDataFolder(question)).toBe(folder);
  });
});
