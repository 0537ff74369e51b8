// Runs before the first paint, so that a chosen theme does not flash. Keys are those of src/state/preferences.ts.
(() => {
  try {
    const saved = JSON.parse(localStorage.getItem('portico.preferences') ?? '{}');
    if (saved.theme === 'light' || saved.theme === 'dark')
      document.documentElement.dataset.theme = saved.theme;
    if (saved.language === 'en' || saved.language === 'de') document.documentElement.lang = saved.language;
  } catch {
    // Without storage the system's theme applies.
  }
})();
