import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { contractAsData } from './contract-as-data.ts';

const server = 'http://localhost:8080';

/** Compresses assets at build time, so that the server need not compress them for each request. */
const compressed = (): Plugin => ({
  name: 'compressed',
  writeBundle({ dir = '' }) {
    const assets = path.join(dir, 'assets');
    for (const name of readdirSync(assets)) {
      if (name.endsWith('.woff2')) continue;
      const bytes = readFileSync(path.join(assets, name));
      writeFileSync(path.join(assets, `${name}.br`), brotliCompressSync(bytes));
      writeFileSync(path.join(assets, `${name}.gz`), gzipSync(bytes));
    }
  },
});

/** The license of the font, which must accompany it. */
const fontLicense = (): Plugin => ({
  name: 'font-license',
  apply: 'build',
  generateBundle() {
    const file = createRequire(import.meta.url).resolve('@fontsource-variable/geist/LICENSE');
    this.emitFile({ type: 'asset', fileName: 'assets/geist-license.txt', source: readFileSync(file, 'utf8') });
  },
});

/** Preloads the modules of the first page after sign-in, so that they do not wait for the frame to run. */
const fetchedEarly = (...modules: string[]): Plugin => ({
  name: 'fetched-early',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler(html, { bundle = {} }) {
      const preloaded = new Set<string>();
      const preload = (name: string) => {
        const chunk = bundle[name];
        if (chunk?.type !== 'chunk' || preloaded.has(name) || html.includes(name)) return;
        preloaded.add(name);
        for (const file of chunk.viteMetadata?.importedCss ?? []) preloaded.add(file);
        for (const next of chunk.imports) preload(next);
      };
      for (const [name, chunk] of Object.entries(bundle)) {
        if (chunk.type === 'chunk' && modules.some((module) => chunk.facadeModuleId?.endsWith(module))) preload(name);
      }
      return [...preloaded].map((file) => {
        const rel = file.endsWith('.css') ? 'stylesheet' : 'modulepreload';
        return { tag: 'link', attrs: { rel, crossorigin: true, href: `/${file}` }, injectTo: 'head' };
      });
    },
  },
});

/** Loads the styles of each Mantine component together with the component. */
const mantineStyles = (): Plugin => ({
  name: 'mantine-styles',
  apply: 'build',
  transform: {
    filter: { id: /@mantine\/core\/esm\/.*[.]module[.]mjs$/ },
    handler: (code, id) => `import '@mantine/core/styles/${path.basename(id, '.module.mjs')}.layer.css';\n${code}`,
  },
});

/** Mantine's colors that no page uses, or that the theme replaces. */
const unused = /\t(dark|pink|grape|violet|indigo|cyan|teal|lime): \[[^\]]*\],\n/g;

const usedColors = (): Plugin => ({
  name: 'used-colors',
  apply: 'build',
  transform: {
    filter: { id: /default-colors[.]mjs$/ },
    handler: (code) => code.replaceAll(unused, ''),
  },
});

/** Drops the names of components for developer tools, which also keep unused components in the build. */
const withoutDisplayNames = (): Plugin => ({
  name: 'without-display-names',
  apply: 'build',
  transform: {
    filter: { id: /node_modules\/(@mantine\/core\/esm|react-router\/dist\/production)\// },
    handler: (code) =>
      code
        .replaceAll(/^\w+\.displayName = ["'].*["'];$/gm, '')
        .replaceAll(/= ([\w$]+\.forwardRef\()/g, '= /* @__PURE__ */ $1'),
  },
});

/** Matches Mantine components and their styles. */
const mantine = (...names: string[]): string => `@mantine/core/(esm/components|styles)/(${names.join('|')})[/.]`;

/** Modules that every page uses, in one chunk: many small files load more slowly and compress worse. */
const common = new RegExp(
  [
    'node_modules/(react|react-dom|react-router|scheduler|@tanstack|clsx)/|@mantine/core/esm/core/',
    mantine('ActionIcon', 'Alert', 'Anchor', 'Badge', 'Button', 'CloseButton', 'Code', 'Group', 'Input', 'InputBase'),
    mantine('Loader', 'Paper', 'PasswordInput', 'Skeleton', 'Stack', 'Text', 'TextInput', 'Title', 'Transition'),
    mantine('UnstyledButton', 'VisuallyHidden'),
    '@mantine/hooks/esm/(utils|use-(debounced|did|disclosure|id|isomorphic|local|media|merged|previous|reduced|uncontrolled|window))',
    'console/src/(paths|api/(account/(account|sessions)|apps|client|connection|health/health|live|organizations/orgs))[.]',
    'console/src/(context/current-page|routing/(recent-visits|url-state))[.]',
    'console/src/components/dialogs/(dialog-guard|focus-return|on-demand|unsaved-changes-guard)[.]',
    'console/src/components/(feedback/(empty-state|failure)|filters/(filters|time-range)|forms/(field-rules|fields|form))[.]',
    'console/src/components/(images/(image|server-image)|layout/(breadcrumbs|page|section-tabs))[.]',
    'console/src/components/tables/(columns|csv|data-table|download|pager|row-button|table|table-(body|keys|rows|state|toolbar))[.]',
    'console/src/components/text/(copyable|format-count|format-time|links|role-labels|time|user-name)[.]',
  ].join('|'),
);

/** Menus, dialogs and their content, in a chunk that loads when one first opens. */
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
    'console/src/components/(dialogs/(confirm-dialog|dialog|dialog-buttons|use-confirm)|layout/pick-list)[.]',
  ].join('|'),
);

export default defineConfig({
  plugins: [
    contractAsData(),
    mantineStyles(),
    usedColors(),
    withoutDisplayNames(),
    react(),
    fetchedEarly('/components/layout/signed-in.tsx', '/pages/apps/home.page.tsx'),
    fontLicense(),
    compressed(),
  ],
  build: {
    outDir: 'dist',
    manifest: 'manifest.json',
    assetsDir: 'assets',
    rolldownOptions: {
      output: {
        // Every page lists the files of all others, so short names save 2 kB: seven characters still tell all files apart. The letter is needed because a hash may begin with a dash.
        chunkFileNames: 'assets/c[hash:7].js',
        assetFileNames: 'assets/a[hash:7][extname]',
        codeSplitting: {
          groups: [
            { name: 'common', test: common, priority: 3 },
            { name: 'overlays', test: overlays, priority: 2 },
            // Texts, icons and operations import nothing else.
            { name: 'shared', test: /@tabler\/icons|packages\/contract\//, minShareCount: 14, priority: 1 },
          ],
        },
      },
      treeshake: {
        // The package does not declare it, and browsers use only a few of its functions.
        moduleSideEffects: [{ test: /node_modules\/typebox\//, sideEffects: false }],
        // Functions without side effects, so that unused schemas and endpoints are dropped.
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
