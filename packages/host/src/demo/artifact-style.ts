/** Follows the system's light or dark; one column on narrow screens. */
export const DEMO_ARTIFACT_STYLE: string = `
:root {
  color-scheme: light dark;
  --page: light-dark(#f5f3ee, #12161b);
  --card: light-dark(#ffffff, #1b2129);
  --ink: light-dark(#1d2733, #e9eef4);
  --soft: light-dark(#566372, #9fb0c0);
  --line: light-dark(rgb(30 50 70 / 0.12), rgb(255 255 255 / 0.1));
  --accent: light-dark(#0b5c8f, #8cc6f5);
  --on-accent: light-dark(#ffffff, #0c1c29);
  --warn: light-dark(#8a4b00, #ffc27a);
}
* { box-sizing: border-box; margin: 0; }
body { font: 16px/1.5 system-ui, -apple-system, "Segoe UI", sans-serif; color: var(--ink); background: var(--page); }
main { max-width: 920px; margin: 0 auto; padding: 36px 24px 48px; }
header { display: flex; justify-content: space-between; align-items: flex-start; gap: 20px; flex-wrap: wrap; }
h1 { font-size: 30px; letter-spacing: -0.02em; line-height: 1.2; }
h2 { font-size: 14px; font-weight: 600; color: var(--soft); margin: 30px 0 10px; }
.lead { color: var(--soft); max-width: 46ch; margin-top: 4px; }
button { font: inherit; font-weight: 600; padding: 9px 18px; border: 0; border-radius: 999px; cursor: pointer; color: var(--on-accent); background: var(--accent); }
button:hover { filter: brightness(1.08); }
button:focus-visible { outline: 3px solid color-mix(in srgb, var(--accent) 45%, transparent); outline-offset: 2px; }
button:disabled { opacity: 0.55; cursor: progress; }
.stations { list-style: none; padding: 0; display: grid; grid-template-columns: repeat(auto-fit, minmax(200px, 1fr)); gap: 14px; }
.station { background: var(--card); border: 1px solid var(--line); border-radius: 14px; padding: 16px 18px; min-height: 148px; display: flex; flex-direction: column; }
.station h3 { font-size: 16px; font-weight: 600; }
.station .degrees { font-size: 40px; font-weight: 300; letter-spacing: -0.03em; line-height: 1.25; font-variant-numeric: tabular-nums; }
.station .summary { color: var(--soft); font-size: 14px; }
.station .wind { color: var(--soft); font-size: 13px; margin-top: auto; padding-top: 8px; font-variant-numeric: tabular-nums; }
.failed { border-style: dashed; }
.failed p { color: var(--warn); font-size: 14px; margin-top: 6px; }
.notes { background: var(--card); border: 1px solid var(--line); border-radius: 14px; padding: 14px 18px; }
.notes ol { padding-left: 20px; }
.notes li + li { margin-top: 4px; }
.notes p { color: var(--soft); }
.status { color: var(--soft); font-size: 14px; margin-top: 22px; min-height: 1.5em; }
@media (max-width: 520px) { main { padding: 22px 16px 32px; } h1 { font-size: 25px; } }
`;
