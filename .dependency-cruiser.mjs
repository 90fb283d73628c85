import { readDomainList } from './tools/domain-list.mjs';

/** The import law of docs/architecture.md. It has no list of exceptions; each rule has been seen red once. */
const server = '^packages/server/src';
const { foundations, products } = readDomainList(import.meta.dirname);

/** What a domain must not lean on: foundations those after them, products all other products. */
const above = [
  ...foundations.map((name, at) => ({ name, others: [...foundations.slice(at + 1), ...products] })),
  ...products.map((name) => ({ name, others: products.filter((other) => other !== name) })),
].filter(({ others }) => others.length > 0);
const verbs = [`${server}/domains/[^/]+/[^/.]+[.]ts$`, `${server}/domains/[^/]+/[^/.]+/[^/.]+[.]ts$`];
/** The steps that build the world of the tests, beside each domain of the contract. */
const world = '^packages/contract/src/(world/|world[.]ts$|.*[.]world[.]ts$)';

export default {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'A cycle means that two files are one, or that something is in the wrong room.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'contract-stands-alone',
      comment: 'The contract runs in browsers too: it leans on typebox and nothing else.',
      severity: 'error',
      from: { path: '^packages/contract/src', pathNot: '[.]test[.]ts$' },
      to: { pathNot: ['^packages/contract/src', '^node_modules/typebox/'] },
    },
    {
      name: 'nobody-imports-app',
      comment: 'app.ts and domains.ts know every room, so no room may know them; main.ts and tests start the app.',
      severity: 'error',
      from: { path: server, pathNot: [`${server}/(main|app|maintain)[.]ts$`, '[.]test[.]ts$'] },
      to: { path: `${server}/(app|main|domains)[.]ts$` },
    },
    {
      name: 'kernel-knows-no-room',
      severity: 'error',
      from: { path: `${server}/kernel/`, pathNot: '[.]test[.]ts$' },
      to: { path: `${server}/(?!kernel/)` },
    },
    {
      name: 'platform-knows-no-domain',
      severity: 'error',
      from: {
        path: `${server}/(kernel|db|http|jobs|blobs|outbound|telemetry|uploads|workers)/|${server}/(context|domain)[.]ts`,
      },
      to: { path: `${server}/domains/` },
    },
    {
      name: 'telemetry-knows-the-kernel-only',
      comment: 'Its other half runs in a process of its own, which must carry nothing of the server.',
      severity: 'error',
      from: { path: `${server}/telemetry/`, pathNot: '[.](settings|test)[.]ts$' },
      to: { path: `${server}/(?!(telemetry|kernel)/)` },
    },
    {
      name: 'workers-know-the-kernel-only',
      comment: 'What runs in a thread must carry nothing of the server.',
      severity: 'error',
      from: { path: `${server}/workers/`, pathNot: '[.]test[.]ts$' },
      to: { path: `${server}/(?!(workers|kernel)/)` },
    },
    {
      name: 'only-the-engine-knows-duckdb',
      comment: 'Native code runs in its own process, and questions stay free of SQL.',
      severity: 'error',
      from: {
        path: 'packages/',
        // The harness writes files as earlier versions did.
        pathNot: [`${server}/telemetry/duckdb/child[.]ts$`, 'packages/server/test/harness/parquet[.]ts$'],
      },
      to: { path: '(^|/)@duckdb/' },
    },
    {
      name: 'config-knows-settings-only',
      severity: 'error',
      from: { path: `${server}/config[.]ts` },
      to: { path: `${server}/domains/`, pathNot: '[.]settings[.]ts$' },
    },
    {
      name: 'settings-stand-alone',
      comment: 'They are read before anything runs.',
      severity: 'error',
      from: { path: '[.]settings[.]ts$' },
      to: { path: `${server}/(http|jobs|domains|maintenance|context|config|app)`, pathNot: '[.]settings[.]ts$' },
    },
    {
      name: 'database-knows-no-http',
      severity: 'error',
      from: { path: `${server}/db/` },
      to: { path: [`${server}/(http|domains)/`, '^packages/contract'] },
    },
    {
      name: 'migrations-are-frozen',
      comment: 'A migration must do the same for ever, so it leans on nothing that changes.',
      severity: 'error',
      from: { path: `${server}/db/migrations/` },
      to: { path: 'packages/', pathNot: [`${server}/db/migrations/`, `${server}/db/portable[.]ts$`] },
    },
    {
      name: 'verbs-know-no-http',
      comment: 'A verb serves every surface.',
      severity: 'error',
      from: { path: verbs, pathNot: '/index[.]ts$' },
      to: { path: [`${server}/http/`, '[.]routes[.]ts$', '^node_modules/fastify/'] },
    },
    {
      name: 'only-stores-speak-sql',
      severity: 'error',
      from: {
        path: `${server}/(domains|http|kernel|jobs|blobs|outbound|uploads|maintenance)/`,
        pathNot: ['[.](store|tables)[.]ts$', '[.]test[.]ts$'],
      },
      to: { path: ['^node_modules/(kysely|pg)/', `${server}/db/(statement|tables|sqlite|postgres|builders)[.]ts$`] },
    },
    {
      name: 'stores-know-the-database-only',
      severity: 'error',
      from: { path: '[.]store[.]ts$' },
      to: { path: server, pathNot: [`${server}/db/`, `${server}/kernel/`, '[.]tables[.]ts$'] },
    },
    {
      name: 'stores-name-their-tables-only',
      comment: 'The statements of a domain are bound to the tables that its tables.ts opens.',
      severity: 'error',
      from: { path: `${server}/(domains|http|jobs|uploads)/.*[.]store[.]ts$` },
      to: { path: `${server}/db/(tables|builders)[.]ts$` },
    },
    {
      name: 'tables-know-tables-only',
      severity: 'error',
      from: { path: '[.]tables[.]ts$' },
      to: { path: server, pathNot: [`${server}/db/`, '[.]tables[.]ts$'] },
    },
    {
      name: 'tables-belong-to-their-domain',
      severity: 'error',
      from: { path: `${server}/domains/([^/]+)/`, pathNot: '[.](tables|test)[.]ts$' },
      to: { path: '[.]tables[.]ts$', pathNot: [`${server}/domains/$1/`, `${server}/db/`] },
    },
    {
      name: 'stores-belong-to-their-domain',
      severity: 'error',
      from: { path: `${server}/domains/([^/]+)/` },
      to: { path: '[.]store[.]ts$', pathNot: `${server}/domains/$1/` },
    },
    {
      name: 'domains-have-a-front-door',
      severity: 'error',
      from: { path: `${server}/domains/([^/]+)/` },
      to: { path: `${server}/domains/`, pathNot: [`${server}/domains/$1/`, '/index[.]ts$', '[.]tables[.]ts$'] },
    },
    {
      name: 'pages-have-a-front-door',
      comment: 'What is written ahead as bytes stays behind one verb.',
      severity: 'error',
      from: { path: `${server}/domains/`, pathNot: `${server}/domains/health/pages/` },
      to: { path: `${server}/domains/health/pages/`, pathNot: '/index[.]ts$' },
    },
    ...above.map(({ name, others }) => ({
      name: `${name}-leans-downwards`,
      comment:
        'The order of packages/server/src/domains.ts: foundations lean on those before them, products on foundations.',
      severity: 'error',
      from: { path: `${server}/domains/${name}/`, pathNot: '[.]test[.]ts$' },
      to: { path: `${server}/domains/(${others.join('|')})/` },
    })),
    {
      name: 'maintenance-knows-no-domain',
      comment: 'It copies tables and looks at services; what they mean is not its matter.',
      severity: 'error',
      from: { path: `${server}/(maintenance/|maintain[.]ts$)`, pathNot: '[.]test[.]ts$' },
      to: { path: `${server}/(domains|jobs)/` },
    },
    {
      name: 'nobody-imports-maintenance',
      comment: 'A server that runs carries none of it; maintain.ts is a program of its own.',
      severity: 'error',
      from: { path: server, pathNot: `${server}/(maintenance/|maintain[.]ts$)` },
      to: { path: `${server}/(maintenance/|maintain[.]ts$)` },
    },
    {
      name: 'clients-never-import-the-server',
      severity: 'error',
      from: { path: '^(packages/(console|cli|runner)|acceptance)/' },
      to: { path: '^packages/server/src' },
    },
    {
      name: 'acceptance-knows-the-contract-only',
      comment: 'A black box starts programs; it imports none, not even through a helper of tools/.',
      severity: 'error',
      from: { path: '^acceptance/' },
      to: { path: '^(packages/(?!contract/)|bench/)', reachable: true },
    },
    {
      name: 'browsers-load-no-examples',
      comment: 'The endpoint table stays small for pages; examples are for the specification and for tests.',
      severity: 'error',
      from: { path: '^packages/(contract|console|cli)/src/', pathNot: ['[.]test[.]tsx?$', 'examples[.]ts$', world] },
      to: { path: '^packages/contract/src/.*examples[.]ts$' },
    },
    {
      name: 'product-does-not-need-tests',
      severity: 'error',
      from: { path: '^packages/[^/]+/src/', pathNot: ['[.]test[.]tsx?$', world] },
      to: { path: ['[.]test[.]tsx?$', world, '^packages/server/test/', '^(acceptance|bench|tools)/'] },
    },
    { name: 'nothing-unresolved', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // A peer, a client or a suite is a program of its own, with its own packages, which are installed only when it runs.
    exclude: {
      path: ['/dist/', '^bench/peers/[^/]+/', '^acceptance/clients/metro/', '^acceptance/devices/webdriverio/'],
    },
    parser: 'swc',
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'default', 'types'] },
  },
};
