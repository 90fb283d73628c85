import { type Config, ConfigError, readConfig, unknownSettings } from '../config.ts';
import { checkCertificate, checkDataFolder, checkDisk, checkPrograms } from './check-files.ts';
import { checkRunner } from './check-runner.ts';
import { checkBlobs, checkDatabase, checkMail, checkPorts, checkTelemetry } from './check-services.ts';
import { type Finding, findingsOf, reasonOf } from './findings.ts';

type Environment = Record<string, string | undefined>;

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

function checkSettings(env: Environment): { found: Finding[]; config?: Config } {
  const { ok, warn, fail } = findingsOf('settings');
  const found = unknownSettings(env).map((name) =>
    warn(`${name} is not a setting of Mooring.`, 'Is it misspelt? See docs/configuration.md.'),
  );
  try {
    const config = readConfig(env);
    return { found: found.length > 0 ? found : [ok('Every setting is right.')], config };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const mend = 'See docs/configuration.md; everything else is checked once the settings are right.';
    return { found: [...found, ...error.problems.map((problem) => fail(problem, mend))] };
  }
}

/** Looks at everything that the server needs, and leaves it as it was. */
export async function examineServer(env: Environment): Promise<Finding[]> {
  const { found, config } = checkSettings(env);
  if (!config) return found;
  for (const [name, check] of checks) {
    try {
      found.push(...(await check(config)));
    } catch (error) {
      found.push(findingsOf(name).fail(`It could not be checked: ${reasonOf(error)}.`));
    }
  }
  return found;
}
