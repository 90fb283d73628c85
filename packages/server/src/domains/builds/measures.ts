import type { Measure } from '../../context.ts';
import { MINUTE } from '../../kernel/clock.ts';
import { summed } from '../usage/index.ts';
import { sumBuildTimes } from './builds.store.ts';

export const buildMeasures: Measure[] = [summed('build_minutes', sumBuildTimes, MINUTE)];
