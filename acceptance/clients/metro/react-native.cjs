/**
 * `react-native bundle`, as `appcenter codepush release-react` calls it: React Native's own command line does no more than hand
 * these options to Metro, which makes the bundle here, too.
 */
const path = require('node:path');
const { parseArgs } = require('node:util');
const metro = require('metro');

const names = ['assets-dest', 'bundle-output', 'dev', 'entry-file', 'platform', 'sourcemap-output'];
const { values } = parseArgs({
  args: process.argv.slice(3),
  options: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
});

async function bundle() {
  const map = values['sourcemap-output'];
  const isForDevelopers = values.dev === 'true';
  const config = await metro.loadConfig(
    { cwd: process.cwd() },
    {
      projectRoot: process.cwd(),
      watchFolders: [path.join(__dirname, 'node_modules')],
      resolver: {
        platforms: ['android', 'ios'],
        useWatchman: false,
        nodeModulesPaths: [path.join(__dirname, 'node_modules')],
      },
      cacheStores: [],
      reporter: { update() {} },
      maxWorkers: 1,
    },
  );
  await metro.runBuild(config, {
    entry: values['entry-file'],
    out: values['bundle-output'],
    bundleOut: values['bundle-output'],
    ...(map && { sourceMap: true, sourceMapOut: map, sourceMapUrl: path.basename(map) }),
    platform: values.platform,
    dev: isForDevelopers,
    minify: !isForDevelopers,
  });
}

bundle().catch((error) => {
  process.stderr.write(`${error.stack}\n`);
  process.exit(1);
});
