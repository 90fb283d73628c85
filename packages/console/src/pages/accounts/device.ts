// Order matters: Edge and Opera also call themselves Chrome, Chrome also calls itself Safari, iPads also call themselves Macs.
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

/** "Firefox on Windows": enough to tell one's devices apart. What is not a known browser is named by its first word. */
export function deviceOf(agent: string | undefined): string {
  if (!agent) return 'Unknown device';
  const system = first(systems, agent);
  const browser = first(browsers, agent) ?? agent.split(/[\s/]/)[0];
  return system ? `${browser} on ${system}` : `${browser}`;
}
