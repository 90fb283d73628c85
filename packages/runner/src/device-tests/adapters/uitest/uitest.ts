import { plugIn } from '../plug-in.ts';
import { readNunitXml } from './nunit-xml.ts';

/** Xamarin.UITest is retired, so the operator of the runner provides a command for it. */
export const uitest = plugIn({
  name: 'uitest',
  variable: 'MOORING_UITEST_COMMAND',
  task: 'runs the assemblies in the current folder and writes NUnit XML to $MOORING_OUTPUT',
  extension: '.xml',
  async reportTests({ report }, xml) {
    const cases = readNunitXml(xml);
    for (const one of cases) report.ended(one);
    return cases.length;
  },
});
