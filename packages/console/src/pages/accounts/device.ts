// Order matters: Edge and Opera also claim to be Chrome, Chrome claims to be Safari, and iPads claim to be Macs.
const browsers: [RegExp, string][] = [
  [/Edg\w*\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
];
const systems: [RegExp, string][] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
];

const first = (names: [RegExp, string][], agent: string): string | undefined =>
  names.find(([pattern]) => pattern.test(agent))?.[1];

/**
 * "Firefox on Windows" is enough to recognize a device. Unknown browsers appear by the first word of their user agent.
 */
export function formatDevice(agent: string | undefined): string {
  if (!agent) return 'Unknown device';
  const system = first(systems, agent);
  const browser = first(browsers, agent) ?? agent.split(/[\s/]/)[0];
  return system ? `${browser} on ${system}` : `${browser}`;
}
