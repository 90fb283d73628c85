import { createApk } from '../../../../tools/samples/packages.ts';
import { type Journey, login } from '../command.ts';

/** Packages for a store. */
export const publishedApk = createApk({ version: 160, shortVersion: '1.6.0' });

export const releases: Journey = {
  title: 'releases',
  user: 'rita',
  files: {
    'buoy-1.4.apk': createApk(),
    'buoy-1.5.apk': createApk({ version: 150, shortVersion: '1.5.0' }),
    'buoy-1.6.apk': publishedApk,
  },
  commands: [
    login,
    { line: 'apps create --display-name Buoy --os Android --platform Java --output json', json: { name: 'Buoy' } },
    { line: 'apps set-current rita/Buoy' },
    {
      line: 'distribute groups create --name Crew --testers rita@example.com',
      prints: 'Successfully created the Crew distribution group with 1 testers',
    },
    {
      line: 'distribute release --file buoy-1.4.apk --group Crew --release-notes Hello --quiet',
      prints: 'Release 1.4.0 (140) was successfully released to 1 testers in Crew',
    },
    {
      line: 'distribute groups publish --file buoy-1.5.apk --group Crew --release-notes More --quiet',
      prints: 'Release 1.5.0 (150) was successfully released to 1 testers in Crew',
    },
    {
      line: 'distribute releases list --output json',
      json: [
        { id: 2, shortVersion: '1.5.0', version: '150' },
        { id: 1, shortVersion: '1.4.0', version: '140' },
      ],
    },
    {
      line: 'distribute releases show --release-id 1 --output json',
      json: {
        id: 1,
        bundleIdentifier: 'com.example.compass',
        androidMinApiLevel: '26',
        releaseNotes: 'Hello',
        status: 'available',
        destinations: [{ name: 'Crew', destinationType: 'group' }],
      },
    },
    {
      line: 'distribute releases edit-notes --release-id 1 --release-notes Changed',
      prints: 'Release 1.4.0 (140) with id: 1 has been updated',
    },
    {
      line: 'distribute releases edit --release-id 1 disabled',
      prints: 'Release 1.4.0 (140) with id: 1 has been disabled',
    },
    {
      line: 'distribute releases edit --release-id 1 enabled',
      prints: 'Release 1.4.0 (140) with id: 1 has been enabled',
    },
    {
      line: 'distribute releases add-destination --release-id 1 --destination rita@example.com --type tester --mandatory',
      prints: "Distribution of mandatory release 1 to tester 'rita@example.com' was successful with notification",
    },
    {
      line: 'distribute groups download --group Crew --filename fetched.apk --quiet',
      prints: 'Release was saved to {any}',
    },
    {
      line: 'distribute releases delete --release-id 1 --quiet',
      prints: 'Release 1.4.0 (140) with id: 1 has been deleted',
    },
    { line: 'distribute stores list --output json', json: [], thenConnects: { app: 'rita/Buoy', store: 'Play' } },
    {
      line: 'distribute stores publish --file buoy-1.6.apk --store Play --release-notes More --quiet',
      prints: "Release 1.6.0 (160) was successfully released to store 'Play'",
    },
  ],
};
