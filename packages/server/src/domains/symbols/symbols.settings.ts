import { integer, type SettingValues } from '../../setting-kinds.ts';

export const symbolsSettings = {
  symbolsCacheMb: integer(
    {
      variable: 'MOORING_SYMBOLS_CACHE_MB',
      description:
        'Disk cache for symbols that reports needed recently, in MiB. The least recently used symbols are removed first.',
    },
    4096,
    64,
    1_048_576,
  ),
  symbolsDays: integer(
    {
      variable: 'MOORING_SYMBOLS_DAYS',
      description: 'Days that symbols are stored after the last report needed them. 0: forever.',
    },
    0,
    0,
    36_500,
  ),
};

declare module '../../config.ts' {
  interface Config extends SettingValues<typeof symbolsSettings> {}
}
