/** Light and dark follow the host's theme, else the system's. */
export const WEATHER_VIEW_STYLE: string = `
:root {
  color-scheme: light dark;
  --ink: light-dark(#16202c, #eef3f8);
  --soft: light-dark(#51606f, #a9b8c7);
  --card: light-dark(#ffffff, #17202b);
  --line: light-dark(rgb(20 40 60 / 0.12), rgb(255 255 255 / 0.12));
  --accent: light-dark(#0a66c2, #7fb8ff);
  --on-accent: light-dark(#ffffff, #0b1b2b);
  --sky-high: light-dark(#cfe4f7, #22384e);
  --sky-low: light-dark(#f4f9fd, #17202b);
}
:root[data-theme="light"] { color-scheme: light; }
:root[data-theme="dark"] { color-scheme: dark; }
* { box-sizing: border-box; margin: 0; }
body {
  font: 15px/1.45 var(--font-sans, system-ui, -apple-system, "Segoe UI", sans-serif);
  color: var(--ink);
  background: transparent;
}
.card {
  padding: 20px 22px;
  background: linear-gradient(165deg, var(--sky-high), var(--sky-low) 55%);
  border-radius: 14px;
}
.card[data-condition="clear"] {
  --sky-high: light-dark(#ffe3b0, #5a4320);
  --sky-low: light-dark(#fff9ee, #1f1d1a);
}
.card[data-condition="rain"] {
  --sky-high: light-dark(#c3d4e4, #1c3247);
  --sky-low: light-dark(#eff4f8, #141c25);
}
.card[data-condition="wind"] {
  --sky-high: light-dark(#c9ecea, #14403f);
  --sky-low: light-dark(#f1fbfa, #131f20);
}
.card[data-condition="fog"] {
  --sky-high: light-dark(#dde1e5, #343b43);
  --sky-low: light-dark(#f6f7f8, #1a1e23);
}
header { display: flex; justify-content: space-between; gap: 16px; align-items: flex-start; }
h1 { font-size: 20px; font-weight: 650; letter-spacing: -0.01em; }
#summary { color: var(--soft); margin-top: 2px; }
.sky svg { width: 56px; height: 56px; display: block; color: var(--accent); }
.card[data-condition="clear"] .sky svg { color: light-dark(#c87800, #ffc861); }
h2 { font-size: 12px; font-weight: 400; color: var(--soft); padding-top: 12px; }
.reading { font-size: 60px; font-weight: 300; line-height: 1.1; letter-spacing: -0.04em; margin: 10px 0 12px; }
.unit { font-size: 24px; color: var(--soft); letter-spacing: 0; margin-left: 4px; }
.facts { display: flex; flex-wrap: wrap; gap: 8px 28px; padding-bottom: 14px; border-bottom: 1px solid var(--line); }
.facts dt { font-size: 12px; color: var(--soft); }
.facts dd { font-weight: 550; font-variant-numeric: tabular-nums; }
.hours { list-style: none; padding: 8px 0 16px; display: grid; grid-template-columns: repeat(6, 1fr); gap: 6px; }
.hours li { text-align: center; font-size: 12px; color: var(--soft); font-variant-numeric: tabular-nums; }
.hours b { display: block; font-size: 15px; font-weight: 600; color: var(--ink); }
.hours i { display: flex; align-items: end; height: 34px; margin: 6px auto; width: 8px; border-radius: 4px; background: var(--line); overflow: hidden; }
.hours i::after { content: ""; width: 100%; height: var(--rain, 0%); background: var(--accent); }
footer { display: flex; align-items: center; gap: 14px; flex-wrap: wrap; }
button {
  font: inherit; font-weight: 600; padding: 8px 16px; border-radius: 999px; border: 0; cursor: pointer;
  color: var(--on-accent); background: var(--accent);
}
button:hover { filter: brightness(1.08); }
button:focus-visible { outline: 3px solid color-mix(in srgb, var(--accent) 45%, transparent); outline-offset: 2px; }
button:disabled { opacity: 0.55; cursor: progress; }
#status { color: var(--soft); font-size: 13px; }
@media (max-width: 420px) { .hours { grid-template-columns: repeat(3, 1fr); } .card[data-condition="clear"] .sky svg { color: light-dark(#c87800, #ffc861); }
h2 { font-size: 12px; font-weight: 400; color: var(--soft); padding-top: 12px; }
.reading { font-size: 48px; } }
@media (prefers-reduced-motion: no-preference) { .card { transition: background 0.3s; } }
`;
