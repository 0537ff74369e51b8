const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** A small page that needs neither script nor the built console. Both texts are plain text. */
export function plainPage(title: string, paragraphs: readonly string[]): string {
  const body = paragraphs.map((text) => `<p>${escapeHtml(text)}</p>`).join('\n');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
<style>
:root { color-scheme: light dark; font: 16px/1.6 system-ui, sans-serif; }
main { max-width: 34rem; margin: 18vh auto 0; padding: 0 1.5rem; }
h1 { font-size: 1.4rem; }
</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
${body}
</main>
</body>
</html>
`;
}

/** What somebody without a session sees instead of the console (K112). */
export function needsLinkPage(): string {
  return plainPage('Portico needs a launch link', [
    'Portico has no sign-in form: a link that works once gives this browser its session.',
    'Run "portico serve" (or "npm start") again in a terminal of this computer. It joins the running Portico and prints a new link. "portico doctor --link" prints one, too.',
  ]);
}

/** Shown for a moment between launch link and console. */
export function launchedPage(): string {
  return plainPage('Portico is opening', ['This page goes on by itself.']);
}

/** Shown for a moment on the way back from a sign-in at another site. */
export function comingBackPage(): string {
  return plainPage('Portico takes over from here', ['This page goes on by itself.']);
}

/** What a window shows whose sign-in could not begin. The message is plain text. */
export function signInFailedPage(message: string): string {
  return plainPage('The sign-in could not begin', [
    message,
    'You can close this window. The connector in Portico shows every step of the attempt.',
  ]);
}

/** What a way back from another site shows in a browser that has no session here. */
export function foreignSignInPage(): string {
  return plainPage('This sign-in did not begin in this browser', [
    'Open Portico where you began it, and try again there. Nothing was taken from this address.',
  ]);
}

/** What a launch link shows that was used already or is too old. */
export function staleLinkPage(): string {
  return plainPage('This launch link does not work any more', [
    'A launch link works once, within ten minutes.',
    'Run "portico serve" (or "npm start") again in a terminal of this computer to get a new one.',
  ]);
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ESCAPES[character] ?? character);
}
