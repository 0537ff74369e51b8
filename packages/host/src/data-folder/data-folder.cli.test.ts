import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PORTICO } from '../../../../testing/host-process.ts';
import { startProgram } from '../../../../testing/processes.ts';

/** `nobody`: file rights mean nothing to root, who runs the tests in containers. */
const NOBODY = 65_534;
const asRoot = process.getuid?.() === 0;
const user = asRoot ? { uid: NOBODY } : {};

/** Names, rights, owners, sizes and contents below a folder. */
function tree(path: string): string {
  const script = 'find . -printf "%p %M %U %s\\n" | sort; find . -type f -exec sha256sum {} + 2>&1 | sort';
  return execFileSync('sh', ['-c', script], { cwd: path, encoding: 'utf8' });
}

describe('portico serve on a data folder that cannot be used', () => {
  let base: string;
  beforeEach(() => {
    base = mkdtempSync(join(tmpdir(), 'portico-k6-'));
    if (asRoot) chownSync(base, NOBODY, NOBODY);
  });
  afterEach(() => {
    chmodSync(base, 0o700);
    rmSync(base, { recursive: true });
  });

  const folder = (name: string, mode: number, owner = NOBODY): string => {
    const path = join(base, name);
    mkdirSync(path);
    chmodSync(path, mode);
    if (asRoot) chownSync(path, owner, owner);
    return path;
  };
  const serve = async (path: string): Promise<{ code: number | string; error: Record<string, unknown> }> => {
    const program = startProgram([PORTICO, 'serve', '--no-open', '--data', path], {
      ...user,
      env: { HOME: base },
    });
    const code = await program.ended;
    expect(program.stdout()).toBe('');
    const [message = '', remedy = ''] = program.stderr().split('\n');
    return { code, error: { message, remedy: remedy.trim() } };
  };

  const cases: readonly { what: string; make: () => string; cause: RegExp }[] = [
    { what: 'read-only', make: () => folder('data', 0o500), cause: /cannot be written/ },
    {
      what: 'missing in a read-only folder',
      make: () => join(folder('above', 0o500), 'data'),
      cause: /cannot be written/,
    },
    {
      what: 'not a folder',
      make: () => {
        writeFileSync(join(base, 'data'), 'a file');
        return join(base, 'data');
      },
      cause: /not a folder/,
    },
    // As another user than root, one who owns nothing of the system's.
    { what: "somebody else's", make: () => (asRoot ? folder('data', 0o777, 0) : '/'), cause: /another user/ },
  ];

  it.each(cases)(
    'K6 $what: ends with 2, path, cause and remedy, and leaves nothing half made',
    async ({ make, cause }) => {
      const path = make();
      const before = tree(base);
      const { code, error } = await serve(path);
      expect(code).toBe(2);
      expect(error['message']).toMatch(cause);
      expect(error['message']).toContain(path);
      expect(error['remedy']).toContain('--data');
      expect(tree(base)).toBe(before);
    },
  );

  it('K6 on a full disk: ends with 2, path, cause and remedy, and leaves nothing half made', async () => {
    // A disk of its own, in a mount namespace of its own that ends with the test.
    const script = [
      'set -e',
      'mount -t tmpfs -o size=256k tmpfs "$1"',
      'mkdir "$1/used" && echo kept > "$1/used/file" && chmod 700 "$1/used"',
      'list() { (cd "$1" && find . -printf "%p %M %s\\n" | sort); }',
      'list "$1" > "$2"',
      'code=0; "$3" "$4" serve --no-open --data "$1/data/below" || code=$?',
      'again=0; "$3" "$4" serve --no-open --data "$1/used" || again=$?',
      'list "$1" > "$2.after"',
      'cmp "$2" "$2.after"',
      'echo "codes $code $again"',
    ].join('\n');
    const disk = join(base, 'disk');
    mkdirSync(disk);
    const namespaces = asRoot ? ['--mount'] : ['--user', '--map-root-user', '--mount'];
    const words = [
      'unshare',
      ...namespaces,
      'sh',
      '-c',
      script,
      'sh',
      disk,
      join(base, 'tree'),
      process.execPath,
      PORTICO,
    ];
    const program = startProgram(
      [
        '-e',
        `const { spawnSync } = require('node:child_process'); process.exitCode = spawnSync(process.argv[1], process.argv.slice(2), { stdio: 'inherit' }).status ?? 99`,
        ...words,
      ],
      { env: { HOME: base } },
    );
    expect(await program.ended, program.stderr()).toBe(0);
    expect(program.stdout()).toBe('codes 2 2\n');
    for (const path of [join(disk, 'data/below'), join(disk, 'used')]) {
      expect(program.stderr()).toContain(`the data folder ${path} is on a disk with less than`);
    }
    expect(program.stderr()).toContain('free some space');
  });
});
