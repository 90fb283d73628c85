import { type Device, type FindProgram, type Framework, SuiteBroken } from './adapter.ts';
import { appium } from './appium/appium.ts';
import { missingAppiumTools } from './appium/server.ts';
import { calabash } from './calabash/calabash.ts';
import { command } from './command/command.ts';
import { deviceSources, probeDevices } from './devices.ts';
import { espresso } from './espresso/espresso.ts';
import { uitest } from './uitest/uitest.ts';
import { xcuitest } from './xcuitest/xcuitest.ts';

const frameworks: readonly Framework[] = [appium, command, espresso, xcuitest, uitest, calabash];

export function findFramework(name: string): Framework {
  const framework = frameworks.find((one) => one.name === name);
  if (!framework) throw new SuiteBroken(`Unknown framework ${name}. Update the runner.`);
  return framework;
}

/** Lists the devices of this machine with their supported frameworks. */
export async function findDevices(find: FindProgram): Promise<Device[]> {
  const usable = frameworks.filter(({ listMissing }) => listMissing(find).length === 0);
  const devices = (await probeDevices(find)).map(({ source, device }) => {
    const hasAppium = missingAppiumTools(source, find).length === 0;
    const names = usable
      .filter((one) => one.fits(device) && (one.name !== 'appium' || hasAppium))
      .map(({ name }) => name);
    return { ...device, frameworks: names };
  });
  return devices.filter((device) => device.frameworks.length > 0);
}

/** Appium is ready if it works for at least one kind of devices. */
function missingForAnySource(find: FindProgram): string[] {
  const sources = deviceSources.filter((source) => source.listMissing(find).length === 0);
  if (sources.length === 0) return ['no devices for Appium'];
  const missing = sources.map((source) => missingAppiumTools(source, find));
  return missing.some((tools) => tools.length === 0) ? [] : [...new Set(missing.flat())];
}

/** Lists the missing tools of each device source and framework; empty if it is ready. */
export const diagnose = (find: FindProgram): { name: string; missing: string[] }[] => [
  ...deviceSources.map((source) => ({ name: `devices: ${source.name}`, missing: source.listMissing(find) })),
  ...deviceSources
    .filter((source) => source.listMissing(find).length === 0)
    .map((source) => ({ name: `Appium on ${source.name}`, missing: missingAppiumTools(source, find) })),
  ...frameworks.map(({ name, listMissing }) => ({
    name: `tests: ${name}`,
    missing: [...listMissing(find), ...(name === 'appium' ? missingForAnySource(find) : [])],
  })),
];
