import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { plugIn } from '../plug-in.ts';
import { readCucumber } from './cucumber.ts';

/** Calabash, which is retired: by the Cucumber that the owner of a runner has for it. */
export const calabash = plugIn({
  name: 'calabash',
  variable: 'MOORING_CALABASH_COMMAND',
  what: 'runs the features below the current folder and writes Cucumber JSON into $MOORING_OUTPUT',
  extension: '.json',
  async tell({ report, folders }, json) {
    const scenarios = readCucumber(json);
    let count = 0;
    for (const { steps, ...scenario } of scenarios) {
      report.started(scenario.suite, scenario.test);
      for (const { label, screenshot } of steps) {
        count += 1;
        const file = path.join(folders.screenshots, `cucumber-${count}`);
        if (screenshot !== undefined) await writeFile(file, Buffer.from(screenshot, 'base64'));
        report.step({ ...scenario, label, screenshot: screenshot === undefined ? undefined : file });
      }
      report.ended(scenario);
    }
    return scenarios.length;
  },
});
