import { createApk } from '../../../../tools/samples/packages.ts';
import { type Journey, login } from '../command.ts';

/** Old pipelines distribute to this built-in group. */
export const collaborators: Journey = {
  title: 'collaborators',
  user: 'cleo',
  files: { 'buoy.apk': createApk() },
  commands: [
    login,
    { line: 'apps create --display-name Buoy --os Android --platform Java --output json', json: { name: 'Buoy' } },
    { line: 'apps set-current cleo/Buoy' },
    {
      line: 'distribute release --file buoy.apk --group Collaborators --release-notes Hello --quiet',
      prints: 'Release 1.4.0 (140) was successfully released to 1 testers in Collaborators',
    },
  ],
};
