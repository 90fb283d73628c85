import { type Device, type FindProgram, type Framework, SuiteBroken } from './adapter.ts';
import { appium } from './appium/appium.ts';
import { lacksOfAppium } from './appium/server.ts';
import { calabash } from './calabash/calabash.ts';
import { command } from './command/command.ts';
import { deviceSources, probeDevices } from './devices.ts';
import { espresso } from './espresso/espresso.ts';
import { uitest } from './uitest/uitest.ts';
import { xcuitest } from './xcuitest/xcuitest.ts';

const frameworks: readonly Framework[] = [appium, command, espresso, xcuitest, uitest, calabash];

export function findFramework(name: string): Framework {
  const found = frameworks.find((one) => one.name === name);
  if (!found) throw new SuiteBroken(`This runner does not know the framework ${name}; a newer one may.`);
  return found;
}

/** Devices of this machine, each with the frameworks that can run on it. */
export async function findDevices(find: FindProgram): Promise<Device[]> {
  const usable = frameworks.filter(({ lacks }) => lacks(find).length === 0);
  const found = (await probeDevices(find)).map(({ source, device }) => {
    const hasAppium = lacksOfAppium(source, find).length === 0;
    const names = usable
      .filter((one) => one.fits(device) && (one.name !== 'appium' || hasAppium))
      .map(({ name }) => name);
    return { ...device, frameworks: names };
  });
  return found.filter((device) => device.frameworks.length > 0);
}

/** Appium is ready as soon as it is on one kind of devices. */
function missingForAppium(find: FindProgram): string[] {
  const sources = deviceSources.filter((source) => source.lacks(find).length === 0);
  if (sources.length === 0) return ['no devices that Appium could drive'];
  const missing = sources.map((source) => lacksOfAppium(source, find));
  return missing.some((lacks) => lacks.length === 0) ? [] : [...new Set(missing.flat())];
}

/** What each source of devices and each framework lacks on this machine; nothing where all is there. */
export const diagnose = (find: FindProgram): { what: string; lacks: string[] }[] => [
  ...deviceSources.map((source) => ({ what: `devices: ${source.name}`, lacks: source.lacks(find) })),
  ...deviceSources
    .filter((source) => source.lacks(find).length === 0)
    .map((source) => ({ what: `Appium on ${source.name}`, lacks: lacksOfAppium(source, find) })),
  ...frameworks.map(({ name, lacks }) => ({
    what: `tests: ${name}`,
    lacks: [...lacks(find), ...(name === 'appium' ? missingForAppium(find) : [])],
  })),
];
