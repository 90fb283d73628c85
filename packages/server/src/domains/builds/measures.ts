import type { UsageMeasure } from '../../extensions/usage-measures.ts';
import { MINUTE } from '../../kernel/clock.ts';
import { summed } from '../usage/index.ts';
import { sumBuildTimes } from './builds.store.ts';

export const buildMeasures: UsageMeasure[] = [summed('build_minutes', sumBuildTimes, MINUTE)];
