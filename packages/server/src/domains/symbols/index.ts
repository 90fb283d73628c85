import { defineDomain } from '../../domain.ts';
import { appOverviews } from '../../extensions/app-overviews.ts';
import { usageMeasures } from '../../extensions/usage-measures.ts';
import { symbolMeasures } from './measures.ts';
import { logSymbolizers } from './native-symbols.ts';
import { sentryCliRoutes } from './sentry-cli/sentry-cli.routes.ts';
import { sentryCliSurface } from './sentry-cli/sentry-cli.surface.ts';
import { sentryReleaseRoutes } from './sentry-cli/sentry-releases.routes.ts';
import { symbolOverview } from './symbol-overview.ts';
import { symbolEvents } from './symbols.events.ts';
import { symbolJobs } from './symbols.jobs.ts';
import { symbolRoutes } from './symbols.routes.ts';
import { symbolsSettings } from './symbols.settings.ts';
import { symbolsTables } from './symbols.tables.ts';

export { adoptSymbols } from './adopting.ts';
export {
  countReportsWaitingFor,
  listReportsWaitingFor,
  needSymbols,
  type RequestedSymbols,
} from './missing-symbols.ts';
export { MAX_INLINED_RAW } from './name-budget.ts';
export type { RawFrame, RawStack, Symbolicated, Symbolication, Unresolved } from './raw-frames.ts';
export type { WalkedDump } from './reading.ts';
export { symbolicate, walkMinidump } from './symbolication.ts';
export { symbolsIndexed } from './symbols.events.ts';

export const symbols = defineDomain({
  settings: symbolsSettings,
  tables: symbolsTables,
  routes: [...symbolRoutes, ...sentryCliRoutes, ...sentryReleaseRoutes],
  jobs: symbolJobs,
  extensions: [appOverviews.add(symbolOverview), usageMeasures.add(...symbolMeasures)],
  events: symbolEvents,
  start: logSymbolizers,
  surfaces: () => [sentryCliSurface],
});
