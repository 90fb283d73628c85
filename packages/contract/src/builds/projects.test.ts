import { expect, test } from 'vitest';
import { findProjects } from './projects.ts';

const files: Record<string, string> = {
  'package.json': '{ "dependencies": { "react-native": "0.76.1" } }',
  'appcenter-post-clone.sh': '',
  'node_modules/left-pad/package.json': '{}',
  'android/gradlew': '',
  'android/settings.gradle': "include ':app'\ninclude ':gone'",
  'android/app/build.gradle': 'android {\n  buildTypes {\n    release {\n    }\n    staging {\n    }\n  }\n}',
  'ios/Podfile': '',
  'ios/Compass.xcodeproj/xcshareddata/xcschemes/Compass.xcscheme': '',
  'ios/Compass.xcodeproj/xcuserdata/ada/xcschemes/Mine.xcscheme': '',
  'win/Compass.sln': '',
};
const sources = { paths: Object.keys(files), read: async (path: string) => files[path] };

test('finds projects of every kind, with their settings', async () => {
  expect(await findProjects(sources)).toMatchObject({
    javascript: { packageJsonPaths: ['package.json'], javascriptSolutions: [{ reactNativeVersion: '0.76.1' }] },
    android: {
      gradleWrapperPath: 'android/gradlew',
      androidModules: [{ name: 'app', buildVariants: ['debug', 'release', 'staging'] }],
    },
    xcode: {
      xcodeSchemeContainers: [
        { path: 'ios/Compass.xcodeproj', podfilePath: 'ios/Podfile', sharedSchemes: [{ name: 'Compass' }] },
      ],
    },
    xamarin: { xamarinSolutions: [{ path: 'win/Compass.sln' }] },
    buildscripts: { '.': ['appcenter-post-clone.sh'] },
  });
});

test('stops at the requested depth', async () => {
  const { android, javascript } = await findProjects(sources, 1);
  expect([android, javascript?.packageJsonPaths]).toEqual([undefined, ['package.json']]);
});

test('scans many thousands of files in linear time', async () => {
  const paths = Array.from({ length: 100_000 }, (_, at) => `src/${'.xcodeproj/'.repeat(3)}${at}.xcscheme`);
  expect(await findProjects({ paths, read: async () => undefined })).toEqual({});
});
