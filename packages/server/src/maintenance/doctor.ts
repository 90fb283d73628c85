import { type Config, ConfigError, type Environment, findUnknownVariables, readValues } from '../config.ts';
import type { SettingTable } from '../setting-kinds.ts';
import { checkCertificate, checkDataFolder, checkDisk, checkPrograms } from './check-files.ts';
import { checkRunner } from './check-runner.ts';
import { checkBlobs, checkDatabase, checkMail, checkPorts, checkTelemetry } from './check-services.ts';
import { createFindings, type Finding, getReason } from './findings.ts';

const checks: [name: string, check: (config: Config) => Finding[] | Promise<Finding[]>][] = [
  ['data folder', checkDataFolder],
  ['disk', checkDisk],
  ['database', checkDatabase],
  ['blob store', checkBlobs],
  ['certificate', (config) => checkCertificate(config, Date.now())],
  ['telemetry', checkTelemetry],
  ['mail', checkMail],
  ['ports', checkPorts],
  ['programs', checkPrograms],
  ['built-in runner', checkRunner],
];

function checkSettings(settings: SettingTable, env: Environment): { found: Finding[]; config?: Config } {
  const { ok, warn, fail } = createFindings('settings');
  const found = findUnknownVariables(settings, env).map((name) =>
    warn(`${name} is not a setting of Mooring.`, 'Check the spelling in docs/configuration.md.'),
  );
  try {
    const config = readValues(settings, env);
    return { found: found.length > 0 ? found : [ok('All settings are valid.')], config };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const remedy = 'See docs/configuration.md. The other checks run once all settings are valid.';
    return { found: [...found, ...error.problems.map((problem) => fail(problem, remedy))] };
  }
}

/** Checks everything that the server needs, and changes nothing. */
export async function examineServer(settings: SettingTable, env: Environment): Promise<Finding[]> {
  const { found, config } = checkSettings(settings, env);
  if (!config) return found;
  for (const [name, check] of checks) {
    try {
      found.push(...(await check(config)));
    } catch (error) {
      found.push(createFindings(name).fail(`The check failed: ${getReason(error)}.`));
    }
  }
  return found;
}
