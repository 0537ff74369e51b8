import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import type { UserConfig } from 'vite';
import { sourceAliases } from '../../tools/layers.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));

// Longest first, so that `@portico/views/dom` is not taken for `@portico/views` with a rest.
const alias = sourceAliases()
  .map(({ specifier, source }) => ({ find: specifier, replacement: `${root}${source}` }))
  .sort((a, b) => b.find.length - a.find.length);

const config: UserConfig = defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [react(), tailwindcss()],
  resolve: { alias },
  build: {
    outDir: 'dist/app',
    emptyOutDir: true,
    target: 'es2023',
    // The host's policy allows no `data:` scripts or styles, and one rule is simpler than two.
    assetsInlineLimit: 0,
    // Chunks load natively; the polyfill would only add script.
    modulePreload: { polyfill: false },
  },
});

export default config;
