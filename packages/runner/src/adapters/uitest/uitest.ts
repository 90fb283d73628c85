import { plugIn } from '../plug-in.ts';
import { readNunitXml } from './nunit-xml.ts';

/** Xamarin.UITest, which is retired: by the NUnit that the owner of a runner has for it. */
export const uitest = plugIn({
  name: 'uitest',
  variable: 'MOORING_UITEST_COMMAND',
  what: 'runs the assemblies below the current folder and writes NUnit XML into $MOORING_OUTPUT',
  extension: '.xml',
  async tell({ report }, xml) {
    const cases = readNunitXml(xml);
    for (const one of cases) report.ended(one);
    return cases.length;
  },
});
