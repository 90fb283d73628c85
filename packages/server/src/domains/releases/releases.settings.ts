import { integer } from '../../setting-kinds.ts';

export const releasesSettings = {
  packageSeconds: integer(
    { variable: 'MOORING_PACKAGE_SECONDS', description: 'How long reading one uploaded package may take, in seconds.' },
    120,
    5,
    3600,
  ),
  packageMemoryMb: integer(
    {
      variable: 'MOORING_PACKAGE_MEMORY_MB',
      description: 'How much memory reading one uploaded package may take, in MiB.',
    },
    512,
    64,
    65_536,
  ),
};
