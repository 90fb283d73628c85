import { integer } from '../../setting-kinds.ts';

export const symbolsSettings = {
  symbolsCacheMb: integer(
    {
      variable: 'MOORING_SYMBOLS_CACHE_MB',
      description:
        'Room on the disk of this machine for copies of symbols that reports were looked up with lately, in MiB; what was not used for longest goes first.',
    },
    4096,
    64,
    1_048_576,
  ),
  symbolsDays: integer(
    {
      variable: 'MOORING_SYMBOLS_DAYS',
      description: 'Days that symbols are kept after the last report needed them. 0 keeps them for ever.',
    },
    0,
    0,
    36_500,
  ),
};
