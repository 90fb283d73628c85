import { type Journey, login } from '../command.ts';
import { symbolFiles } from '../symbol-samples.ts';

/** The client prints no result for uploads, so the test checks later that they arrived. */
export const symbols: Journey = {
  title: 'symbols',
  user: 'sybil',
  files: symbolFiles,
  commands: [
    login,
    {
      line: 'apps create --display-name Shop --os iOS --platform Objective-C-Swift --output json',
      json: { name: 'Shop' },
    },
    { line: 'apps set-current sybil/Shop' },
    { line: 'crashes upload-symbols --symbol Shop.app.dSYM' },
    { line: 'crashes upload-symbols --symbol many' },
    { line: 'crashes upload-symbols --symbol symbols.zip' },
    { line: 'crashes upload-symbols --xcarchive Shop.xcarchive' },
    { line: 'crashes upload-symbols --symbol Native.app.dSYM --sourcemap index.map' },
    { line: 'crashes upload-symbols --breakpad breakpad.zip' },
    { line: 'crashes upload-symbols --appxsym Shop.appxsym' },
    // The client never reads the status of a file: the commit fails if it has no symbols.
    {
      line: 'crashes upload-symbols --symbol empty.zip',
      exit: 3,
      prints: 'Error: failed to finalize the symbol upload with status',
    },
    // A second upload replaces the first one.
    { line: 'crashes upload-symbols --appxsym Shop.appxsym' },
    { line: 'crashes upload-mappings --mapping mapping.txt --version-name 1.4 --version-code 140' },
    {
      line: 'crashes upload-missing-symbols',
      exit: 1,
      prints: 'Error: This command must be run under macOS',
      defect: { client: 'Runs on macOS only.', here: 'The server gets no request.' },
    },
  ],
};
