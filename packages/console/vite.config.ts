import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { contractAsData } from './contract-as-data.ts';

const server = 'http://localhost:8080';

/** Compresses once what the server would otherwise have to compress, or send whole, each time. */
const compressed = (): Plugin => ({
  name: 'compressed',
  writeBundle({ dir = '' }) {
    const assets = path.join(dir, 'assets');
    for (const name of readdirSync(assets)) {
      const bytes = readFileSync(path.join(assets, name));
      writeFileSync(path.join(assets, `${name}.br`), brotliCompressSync(bytes));
      writeFileSync(path.join(assets, `${name}.gz`), gzipSync(bytes));
    }
  },
});

/** Fetched with the frame of the page, not once that has run: what everybody needs who is signed in, and the first page. */
const fetchedEarly = (...modules: string[]): Plugin => ({
  name: 'fetched-early',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler(html, { bundle = {} }) {
      const wanted = new Set<string>();
      const want = (name: string) => {
        const chunk = bundle[name];
        if (chunk?.type !== 'chunk' || wanted.has(name) || html.includes(name)) return;
        wanted.add(name);
        for (const file of chunk.viteMetadata?.importedCss ?? []) wanted.add(file);
        for (const next of chunk.imports) want(next);
      };
      for (const [name, chunk] of Object.entries(bundle)) {
        if (chunk.type === 'chunk' && modules.some((module) => chunk.facadeModuleId?.endsWith(module))) want(name);
      }
      return [...wanted].map((file) => {
        const rel = file.endsWith('.css') ? 'stylesheet' : 'modulepreload';
        return { tag: 'link', attrs: { rel, crossorigin: true, href: `/${file}` }, injectTo: 'head' };
      });
    },
  },
});

/** The styles of a part of Mantine come with it: those that are used, when they are. */
const mantineStyles = (): Plugin => ({
  name: 'mantine-styles',
  apply: 'build',
  transform: {
    filter: { id: /@mantine\/core\/esm\/.*[.]module[.]mjs$/ },
    handler: (code, id) => `import '@mantine/core/styles/${path.basename(id, '.module.mjs')}.layer.css';\n${code}`,
  },
});

/** Parts of Mantine, and their styles. */
const mantine = (...names: string[]): string => `@mantine/core/(esm/components|styles)/(${names.join('|')})[/.]`;

/** What every page is made of: many small files take longer to fetch than one, and compress worse. */
const common = new RegExp(
  [
    'node_modules/(react|react-dom|react-router|scheduler|@tanstack|clsx)/|@mantine/core/esm/core/',
    mantine('ActionIcon', 'Alert', 'Anchor', 'Badge', 'Button', 'CloseButton', 'Code', 'Group', 'Input', 'InputBase'),
    mantine('Loader', 'Paper', 'PasswordInput', 'Skeleton', 'Stack', 'Text', 'TextInput', 'Title', 'Transition'),
    mantine('UnstyledButton', 'VisuallyHidden'),
    '@mantine/hooks/esm/(utils|use-(debounced|did|disclosure|id|isomorphic|local|media|merged|previous|reduced|uncontrolled|window))',
    'console/src/(paths|api/(account|apps|client|connection|health|live|orgs|sessions))[.]',
    'console/src/parts/(breadcrumbs|columns|copyable|csv|data-table|dialog-guard|download|empty|failure|field-rules)[.]',
    'console/src/parts/(fields|filters|focus-return|form|image|leave-guard|links|on-demand|own-image|page|pager)[.]',
    'console/src/parts/(current-page|person|recent|role-words|row-button|table|table-body|table-keys|table-rows|table-state)[.]',
    'console/src/parts/(table-toolbar|tabs|time|time-range|time-words|url-state)[.]',
  ].join('|'),
);

/** What opens above a page, and what stands in it: fetched when it first opens. */
const overlays = new RegExp(
  [
    'node_modules/(@floating-ui|react-remove-scroll|react-remove-scroll-bar|use-sidecar|react-style-singleton|tslib)/',
    mantine(
      'Autocomplete',
      'Checkbox',
      'Combobox',
      'Drawer',
      'FocusTrap',
      'Menu',
      'Modal',
      'ModalBase',
      'NativeSelect',
    ),
    mantine('Overlay', 'Popover', 'Portal', 'ScrollArea', 'Select', 'Tooltip'),
    '@mantine/core/esm/utils/(Floating|InlineInput)/|@mantine/hooks/esm/(use-focus|use-long-press|use-click-outside)',
    'console/src/parts/(confirm|dialog|dialog-buttons|pick-list|question)[.]',
  ].join('|'),
);

export default defineConfig({
  plugins: [
    contractAsData(),
    mantineStyles(),
    react(),
    fetchedEarly('/parts/signed-in.tsx', '/pages/apps/home.page.tsx'),
    compressed(),
  ],
  build: {
    outDir: 'dist',
    manifest: 'manifest.json',
    assetsDir: 'assets',
    rolldownOptions: {
      output: {
        // Every page knows the names of all others: without words in them a first visit is 2 kB smaller. A sum may begin with a dash.
        chunkFileNames: 'assets/c[hash].js',
        assetFileNames: 'assets/a[hash][extname]',
        codeSplitting: {
          groups: [
            { name: 'common', test: common, priority: 3 },
            { name: 'overlays', test: overlays, priority: 2 },
            // Words, signs and operations lean on nothing else.
            { name: 'shared', test: /@tabler\/icons|packages\/contract\//, minShareCount: 10, priority: 1 },
          ],
        },
      },
      treeshake: {
        // It does not say so itself; the browser uses a few of its many functions.
        moduleSideEffects: [{ test: /node_modules\/typebox\//, sideEffects: false }],
        // What makes schemas and endpoints does nothing else: those that no page uses are left out.
        manualPureFunctions: ['Type', 'endpoint', 'json', 'empty', 'Page', 'listQuery', 'liveEvents', 'searchIn'],
      },
    },
  },
  server: {
    proxy: Object.fromEntries(
      ['/v0.1', '/subscriptions', '/providers', '/common', '/docs', '/openapi.json'].map((path) => [path, server]),
    ),
  },
});
