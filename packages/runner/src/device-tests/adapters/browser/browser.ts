import { debian } from '../../../tools/install-hints.ts';
import { type Device, DeviceBroken, type DeviceSource, type FindProgram } from '../adapter.ts';
import { recordBrowser } from './recording.ts';

interface Profile {
  key: string;
  manufacturer: string;
  model: string;
  platform: 'android' | 'ios';
  os: string;
  form_factor: 'phone' | 'tablet';
  width: number;
  height: number;
  pixelRatio: number;
  agent: string;
}

const android = (os: string, model: string, isPhone = true): string =>
  `Mozilla/5.0 (Linux; Android ${os}; ${model}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 ${isPhone ? 'Mobile ' : ''}Safari/537.36`;

/** Sizes in CSS pixels. */
const profiles: readonly Profile[] = [
  {
    key: 'browser-pixel-8',
    manufacturer: 'Google',
    model: 'Pixel 8',
    platform: 'android',
    os: '14',
    form_factor: 'phone',
    width: 412,
    height: 915,
    pixelRatio: 2.625,
    agent: android('14', 'Pixel 8'),
  },
  {
    key: 'browser-galaxy-s23',
    manufacturer: 'Samsung',
    model: 'Galaxy S23',
    platform: 'android',
    os: '13',
    form_factor: 'phone',
    width: 360,
    height: 780,
    pixelRatio: 3,
    agent: android('13', 'SM-S911B'),
  },
  {
    key: 'browser-galaxy-tab-s9',
    manufacturer: 'Samsung',
    model: 'Galaxy Tab S9',
    platform: 'android',
    os: '13',
    form_factor: 'tablet',
    width: 800,
    height: 1280,
    pixelRatio: 2,
    agent: android('13', 'SM-X710', false),
  },
  {
    key: 'browser-iphone-15',
    manufacturer: 'Apple',
    model: 'iPhone 15',
    platform: 'ios',
    os: '17.4',
    form_factor: 'phone',
    width: 393,
    height: 852,
    pixelRatio: 3,
    agent:
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Mobile/15E148 Safari/604.1',
  },
];

export const findChromium = (find: FindProgram): string | undefined =>
  ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
    .map((name) => find(name))
    .find((file) => file !== undefined);

const appiumPlatforms: Partial<Record<NodeJS.Platform, string>> = { darwin: 'mac', win32: 'windows' };

/** Phones emulated in Chromium. Their names contain "emulated browser", so that they are not mistaken for real phones. */
export const browser: DeviceSource = {
  name: 'browser',
  listMissing: (find) => (findChromium(find) ? [] : [`no Chromium: install it${debian('chromium chromium-driver')}`]),
  async probe(find) {
    if (!findChromium(find)) return [];
    return profiles.map(
      ({
        key,
        manufacturer,
        model,
        platform,
        os,
        form_factor,
        width,
        height,
        pixelRatio,
      }): Omit<Device, 'frameworks'> => ({
        key,
        manufacturer,
        model: `${model} (emulated browser)`,
        platform,
        os,
        form_factor,
        is_emulated: true,
        resolution: { width: Math.round(width * pixelRatio), height: Math.round(height * pixelRatio) },
      }),
    );
  },
  async record(job, find) {
    const profile = profiles.find(({ key }) => key === job.work.device.key);
    const chromium = findChromium(find);
    if (!profile || !chromium) throw new DeviceBroken('Chromium was removed from this runner.');
    return recordBrowser(job, profile, chromium);
  },
  // In a browser, the app under test is a page.
  isApp: (commandLine) => commandLine.includes(' --type=renderer '),
  appium: {
    driver: 'appium-chromium-driver',
    listMissing: (find) => (find('chromedriver') ? [] : [`no chromedriver: install it${debian('chromium-driver')}`]),
    capabilities(key, { find, debuggingPort }) {
      const profile = profiles.find((one) => one.key === key);
      if (!profile) return undefined;
      const { width, height, pixelRatio, agent } = profile;
      return {
        platformName: appiumPlatforms[process.platform] ?? 'linux',
        browserName: 'chrome',
        'appium:automationName': 'Chromium',
        'appium:executable': find('chromedriver'),
        'goog:chromeOptions': {
          binary: findChromium(find),
          args: [
            '--headless=new',
            // Chromium can't create its sandbox inside the sandbox of the suite.
            '--no-sandbox',
            '--disable-gpu',
            '--disable-dev-shm-usage',
            '--no-first-run',
            '--disable-background-networking',
            '--disable-component-update',
            '--disable-sync',
            `--window-size=${width},${height}`,
            ...(debuggingPort === undefined ? [] : [`--remote-debugging-port=${debuggingPort}`]),
          ],
          mobileEmulation: { deviceMetrics: { width, height, pixelRatio, touch: true }, userAgent: agent },
        },
      };
    },
  },
};
