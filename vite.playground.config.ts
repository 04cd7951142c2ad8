/** The playground's page: one script, one stylesheet, and the names of the packages whose code is in them (scripts/notices.mjs). */
import path from 'node:path';
import { defineConfig, type Plugin } from 'vite';
import { packageOf } from './scripts/notices.mjs';

const bundledPackages: Plugin = {
  name: 'bundled-packages',
  generateBundle(_, bundle) {
    const inputs = Object.values(bundle).flatMap(file => (file.type === 'chunk' ? file.moduleIds : []));
    const names = [...new Set(inputs.flatMap(packageOf))].sort();
    this.emitFile({ type: 'asset', fileName: 'packages.json', source: JSON.stringify(names) });
  },
};

export default defineConfig({
  root: path.join(import.meta.dirname, 'src', 'playground', 'page'),
  // Wherever the server puts it.
  base: './',
  plugins: [bundledPackages],
  build: {
    outDir: path.join(import.meta.dirname, 'dist', 'playground'),
    emptyOutDir: true,
    target: 'es2023',
    // The server's Content-Security-Policy allows no script, style or picture but files of its own.
    assetsInlineLimit: 0,
    modulePreload: false,
    cssCodeSplit: false,
  },
});
