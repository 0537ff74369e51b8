import { spawn } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import type { DataFolder } from '../data-folder/data-folder.ts';
import { browserPlan } from './browser-plan.ts';
import type { CommandContext } from './context.ts';

/** File in the data folder that leads the browser to the launch link. */
export const LAUNCH_FILE = 'launch.html';

/**
 * Opens a launch link in the person's browser, where there is a desktop. The browser is given a file
 * that only its user can read: the command line of a process is there for all users to see, and
 * whoever is first to use the link has the session (K112).
 *
 * @returns whether a browser was started
 */
export async function openLaunchLink(
  link: string,
  folder: DataFolder,
  context: CommandContext,
): Promise<boolean> {
  const address = pathToFileURL(folder.pathOf(LAUNCH_FILE)).href;
  const { platform, environment } = context;
  const plan = browserPlan({ platform, desktop: environment.desktop, address });
  if (plan === undefined) return false;
  await folder.remove(LAUNCH_FILE);
  await folder.createText(LAUNCH_FILE, forwardingPage(link));
  return await new Promise((resolve) => {
    const child = spawn(plan.command, plan.args, { detached: true, stdio: 'ignore', shell: false });
    child.once('error', () => resolve(false));
    child.once('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}

/** @param link an address of our own making, without characters that HTML gives a meaning */
function forwardingPage(link: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url=${link}">
<title>Portico</title>
</head>
<body><a href="${link}">Open Portico</a></body>
</html>
`;
}
