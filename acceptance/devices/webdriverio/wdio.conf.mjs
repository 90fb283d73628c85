// The address of the device's Appium server, which knows its device.
const { hostname, port, pathname } = new URL(process.env.APPIUM_URL);

export const config = {
  runner: 'local',
  hostname,
  port: Number(port),
  path: pathname,
  specs: ['./notes.spec.mjs'],
  maxInstances: 1,
  // Plain WebDriver: this suite needs no second connection to the browser.
  capabilities: [{ ...JSON.parse(process.env.APPIUM_CAPABILITIES), 'wdio:enforceWebDriverClassic': true }],
  logLevel: 'warn',
  framework: 'mocha',
  mochaOpts: { timeout: 60_000 },
  reporters: [['junit', { outputDir: process.env.MOORING_OUTPUT, outputFileFormat: ({ cid }) => `junit-${cid}.xml` }]],
};
