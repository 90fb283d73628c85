import { readDomainList } from './tools/domain-list.mjs';

/** The dependency rules of docs/architecture.md. There are no exceptions; tools/dependency-rules.test.ts breaks each rule once. */
const server = '^packages/server/src';
const { foundations, data, products } = readDomainList(import.meta.dirname);
const ordered = [...foundations, ...data];

/** Domains that a domain must not import: those after it in the lower tiers, and all other products. */
const above = [
  ...ordered.map((name, at) => ({ name, others: [...ordered.slice(at + 1), ...products] })),
  ...products.map((name) => ({ name, others: products.filter((other) => other !== name) })),
].filter(({ others }) => others.length > 0);
const operations = [1, 2, 3].map((depth) => `${server}/domains/${'[^/]+/'.repeat(depth)}[^/.]+[.]ts$`);
/** Steps that build the test fixtures, beside each domain of the contract. */
const fixtures = '^packages/contract/src/(fixtures/|fixtures[.]ts$|.*[.]fixtures[.]ts$)';

export default {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'A cycle means that two files belong together or that a function is in the wrong module.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'contract-stands-alone',
      comment: 'The contract also runs in browsers, so it depends on typebox only.',
      severity: 'error',
      from: { path: '^packages/contract/src', pathNot: '[.]test[.]ts$' },
      to: { pathNot: ['^packages/contract/src', '^node_modules/typebox/'] },
    },
    {
      name: 'only-entry-points-import-app',
      comment:
        'app.ts, domains.ts and settings.ts know every module, so no module may import them; main.ts and tests start the app.',
      severity: 'error',
      from: { path: server, pathNot: [`${server}/(main|app|maintain|settings)[.]ts$`, '[.]test[.]ts$'] },
      to: { path: `${server}/(app|main|domains|settings)[.]ts$` },
    },
    {
      name: 'kernel-imports-no-module',
      severity: 'error',
      from: { path: `${server}/kernel/`, pathNot: '[.]test[.]ts$' },
      to: { path: `${server}/(?!kernel/)` },
    },
    {
      name: 'platform-imports-no-domain',
      severity: 'error',
      from: {
        path: `${server}/(kernel|db|http|jobs|blobs|outbound|telemetry|uploads|workers|extensions|composition)/|${server}/(config|context|domain|setting-kinds)[.]ts`,
      },
      to: { path: `${server}/domains/` },
    },
    {
      name: 'telemetry-imports-the-kernel-only',
      comment: 'Its second half runs in a separate process, which must not load the server.',
      severity: 'error',
      from: { path: `${server}/telemetry/`, pathNot: '[.](settings|test)[.]ts$' },
      to: { path: `${server}/(?!(telemetry|kernel)/)` },
    },
    {
      name: 'workers-import-the-kernel-only',
      comment: 'Worker threads and processes must not load the server.',
      severity: 'error',
      from: { path: `${server}/workers/`, pathNot: '[.]test[.]ts$' },
      to: { path: `${server}/(?!(workers|kernel)/)` },
    },
    {
      name: 'only-the-engine-imports-duckdb',
      comment: 'Native code runs in a separate process, and queries contain no SQL.',
      severity: 'error',
      from: {
        path: 'packages/',
        // The harness writes files in the formats of earlier versions.
        pathNot: [`${server}/telemetry/duckdb/child[.]ts$`, 'packages/server/test/harness/references/parquet[.]ts$'],
      },
      to: { path: '(^|/)@duckdb/' },
    },
    {
      name: 'settings-stand-alone',
      comment: 'Settings are read before anything else runs.',
      severity: 'error',
      from: { path: '[.]settings[.]ts$' },
      to: { path: `${server}/(http|jobs|domains|maintenance|context|config|app)`, pathNot: '[.]settings[.]ts$' },
    },
    {
      name: 'database-imports-no-http',
      severity: 'error',
      from: { path: `${server}/db/` },
      to: { path: [`${server}/(http|domains)/`, '^packages/contract'] },
    },
    {
      name: 'migrations-are-frozen',
      comment: 'A migration must always do the same, so it imports no code that changes.',
      severity: 'error',
      from: { path: `${server}/db/migrations/` },
      to: { path: 'packages/', pathNot: [`${server}/db/migrations/`, `${server}/db/portable[.]ts$`] },
    },
    {
      name: 'operations-import-no-http',
      comment: 'An operation serves every API surface.',
      severity: 'error',
      from: { path: operations, pathNot: '/index[.]ts$' },
      to: { path: [`${server}/http/`, '[.]routes[.]ts$', '^node_modules/fastify/'] },
    },
    {
      name: 'only-stores-use-sql',
      severity: 'error',
      from: {
        path: `${server}/(domains|http|kernel|jobs|blobs|outbound|uploads|maintenance)/`,
        pathNot: ['[.](store|tables)[.]ts$', '[.]test[.]ts$'],
      },
      to: {
        path: [
          '^node_modules/(kysely|pg)/',
          `${server}/db/(statement|tables|builders|drivers/(sqlite|postgres))[.]ts$`,
        ],
      },
    },
    {
      name: 'stores-import-the-database-only',
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
      name: 'tables-import-tables-only',
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
      name: 'domains-are-imported-by-their-entry-point',
      severity: 'error',
      from: { path: `${server}/domains/([^/]+)/` },
      to: { path: `${server}/domains/`, pathNot: [`${server}/domains/$1/`, '/index[.]ts$', '[.]tables[.]ts$'] },
    },
    {
      name: 'health-pages-are-imported-by-their-entry-point',
      comment: 'Pages are cached as bytes; one operation reads and writes them.',
      severity: 'error',
      from: { path: `${server}/domains/`, pathNot: `${server}/domains/health/pages/` },
      to: { path: `${server}/domains/health/pages/`, pathNot: '/index[.]ts$' },
    },
    {
      name: 'log-validation-is-pure',
      comment: 'Requests, imports and readers of batches share it, so it uses neither the database nor a queue.',
      severity: 'error',
      from: { path: `${server}/domains/ingest/validation/`, pathNot: '[.]test[.]ts$' },
      to: { path: server, pathNot: [`${server}/domains/ingest/validation/`, `${server}/kernel/`] },
    },
    {
      name: 'intake-and-status-stay-apart',
      comment: 'Intake writes the tables that the status reads; neither imports the other.',
      severity: 'error',
      from: { path: `${server}/domains/ingest/(intake|status)/`, pathNot: '[.]test[.]ts$' },
      to: { path: `${server}/domains/ingest/(intake|status)/`, pathNot: `${server}/domains/ingest/$1/` },
    },
    ...above.map(({ name, others }) => ({
      name: `${name}-imports-lower-tiers-only`,
      comment:
        'The tiers of packages/server/src/domains.ts: foundations and data import those before them, products the lower tiers.',
      severity: 'error',
      from: { path: `${server}/domains/${name}/`, pathNot: '[.]test[.]ts$' },
      to: { path: `${server}/domains/(${others.join('|')})/` },
    })),
    {
      name: 'maintenance-imports-no-domain',
      comment: 'It copies tables and checks services without interpreting them.',
      severity: 'error',
      from: { path: `${server}/(maintenance/|maintain[.]ts$)`, pathNot: '[.]test[.]ts$' },
      to: { path: `${server}/(domains|jobs)/` },
    },
    {
      name: 'the-server-does-not-import-maintenance',
      comment: 'maintain.ts is a separate program; the running server does not load it.',
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
      name: 'acceptance-imports-the-contract-only',
      comment:
        'Acceptance tests start programs and import none of them, not even through helpers in tools/ or test-support/.',
      severity: 'error',
      from: { path: '^acceptance/' },
      to: { path: '^(packages/(?!contract/)|bench/)', reachable: true },
    },
    {
      name: 'browsers-load-no-examples',
      comment: 'Examples are for the API reference and for tests; pages load the endpoint table without them.',
      severity: 'error',
      from: { path: '^packages/(contract|console|cli)/src/', pathNot: ['[.]test[.]tsx?$', 'examples[.]ts$', fixtures] },
      to: { path: '^packages/contract/src/.*examples[.]ts$' },
    },
    {
      name: 'packages-import-no-tests',
      severity: 'error',
      from: { path: '^packages/[^/]+/src/', pathNot: ['[.]test[.]tsx?$', fixtures] },
      to: { path: ['[.]test[.]tsx?$', fixtures, '^packages/server/test/', '^(acceptance|bench|tools|test-support)/'] },
    },
    {
      name: 'tools-never-import-acceptance',
      comment: 'tools/ launches, generates and packages; it starts a suite as a program.',
      severity: 'error',
      from: { path: '^tools/' },
      to: { path: '^acceptance/' },
    },
    {
      name: 'shipped-tools-import-no-test-support',
      comment: '`npm start`, the demo and the packages run without test doubles.',
      severity: 'error',
      from: { path: '^tools/((demo|package|samples)/|[^/]+[.]mjs$)', pathNot: '[.]test[.]ts$' },
      to: { path: '^test-support/', reachable: true },
    },
    { name: 'nothing-unresolved', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // Peers, clients and some suites are separate programs; their packages are installed only when they run.
    exclude: {
      path: [
        '/dist/',
        '^bench/peers/[^/]+/',
        '^acceptance/clients/(metro|sentry/app[.]mjs$)',
        '^acceptance/devices/webdriverio/',
      ],
    },
    parser: 'swc',
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'default', 'types'] },
  },
};
