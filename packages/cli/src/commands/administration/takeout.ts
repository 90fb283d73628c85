import path from 'node:path';
import { readApp } from '../../arguments/targets.ts';
import { command } from '../../framework/command.ts';
import { exportEverything } from '../../takeout/export.ts';
import { readFolder } from '../../takeout/folder.ts';
import { listOmitted, planImport, readCompletedSteps, runImport } from '../../takeout/import.ts';
import { noteOmitted } from '../../takeout/omitted.ts';

export const takeoutCommands = [
  command({
    name: 'export everything',
    summary:
      'Export apps, members, groups, testers, releases with packages, CodePush, symbols, crashes and telemetry to a folder',
    arguments: { folder: { summary: 'Folder to write to; existing files are not downloaded again' } },
    options: { app: { value: 'OWNER/APP', summary: 'App to export (default: all apps that you can see)' } },
    async run({ args, options, out, connect }) {
      const only = options.app === undefined ? undefined : readApp(options.app, '--app');
      const written = await exportEverything(connect().call, path.resolve(args.folder), only, out);
      out.record(written, written, [
        { header: 'APPS', value: ({ apps }) => apps },
        { header: 'GROUPS', value: ({ groups }) => groups },
        { header: 'ERROR GROUPS', value: ({ errorGroups }) => errorGroups },
        { header: 'RELEASES', value: ({ releases }) => releases },
        { header: 'SYMBOLS', value: ({ symbols }) => symbols },
        { header: 'CODEPUSH RELEASES', value: ({ updates }) => updates },
        { header: 'RECORDS', value: ({ records }) => records },
      ]);
      noteOmitted(out, written.omitted);
    },
  }),
  command({
    name: 'import appcenter',
    summary:
      'Import a folder from "mooring export everything", or saved responses of App Center; continue after an interruption',
    arguments: { folder: { summary: 'Folder in the format of "mooring export everything"' } },
    options: {
      owner: {
        value: 'NAME',
        summary: 'Owner of the imported apps: you or an organization (default: the original organization, or you)',
      },
      'with-testers': { summary: 'Add testers to their groups; unknown testers are invited by email' },
      'with-members': { summary: 'Invite members to organizations and apps by email, with their original roles' },
      'dry-run': { summary: 'Only list the steps' },
    },
    async run({ args, options, out, connect }) {
      const root = path.resolve(args.folder);
      const { call, server } = connect();
      const { owner, 'with-testers': withTesters, 'with-members': withMembers } = options;
      const apps = readFolder(root);
      const omitted = listOmitted(apps, { withTesters, withMembers });
      const omit = (line: string) => void omitted.push(line);
      const target = { call, server, owner, withTesters, withMembers, out, omit };
      const steps = await planImport(target, root, apps);
      if (!options['dry-run']) {
        const count = await runImport(root, server, steps, out);
        const before = steps.length - count;
        out.note(
          `Completed ${count} of ${steps.length} steps.${before > 0 ? ` ${before} were completed before.` : ''}`,
        );
        noteOmitted(out, omitted);
        return;
      }
      const done = readCompletedSteps(root, server);
      const rows = steps.map(({ key, name }) => ({ name, state: done.has(key) ? 'completed' : 'pending' }));
      out.table(rows, rows, [
        { header: 'STATE', value: ({ state }) => state },
        { header: 'STEP', value: ({ name }) => name },
      ]);
      noteOmitted(out, omitted);
    },
  }),
];
