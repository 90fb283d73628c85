import path from 'node:path';
import { command } from '../framework/command.ts';
import { exportEverything } from '../takeout/export.ts';
import { readFolder } from '../takeout/folder.ts';
import { doneBefore, listLeftOut, planImport, runImport } from '../takeout/import.ts';
import { noteLeftOut } from '../takeout/left-out.ts';
import { readApp } from '../targets.ts';

export const takeoutCommands = [
  command({
    name: 'export everything',
    summary:
      'Writes apps, members, groups, testers, releases with packages, CodePush, symbols, crashes and telemetry to a folder',
    arguments: { folder: { summary: 'Where to; what is there already is not fetched again' } },
    options: { app: { value: 'OWNER/APP', summary: 'Only this app' } },
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
      noteLeftOut(out, written.leftOut);
    },
  }),
  command({
    name: 'import appcenter',
    summary: 'Makes what such a folder holds, also one of answers saved from App Center; goes on where it stopped',
    arguments: { folder: { summary: 'As "mooring export everything" writes it' } },
    options: {
      owner: { value: 'NAME', summary: 'Whose the apps become: you, or an organization; else as they were' },
      'with-testers': { summary: 'Add testers to their groups: who is not known here is invited by mail' },
      'with-members': { summary: 'Invite members to organizations and apps by mail, with the roles that they had' },
      'dry-run': { summary: 'Only tell what would be done' },
    },
    async run({ args, options, out, connect }) {
      const root = path.resolve(args.folder);
      const { call, server } = connect();
      const { owner, 'with-testers': withTesters, 'with-members': withMembers } = options;
      const apps = readFolder(root);
      const leftOut = listLeftOut(apps, { withTesters, withMembers });
      const leaveOut = (line: string) => void leftOut.push(line);
      const into = { call, server, owner, withTesters, withMembers, out, leaveOut };
      const steps = await planImport(into, root, apps);
      if (!options['dry-run']) {
        const count = await runImport(root, server, steps, out);
        out.note(`${count} of ${steps.length} were left to do, and are done.`);
        noteLeftOut(out, leftOut);
        return;
      }
      const done = doneBefore(root, server);
      const rows = steps.map(({ key, what }) => ({ what, state: done.has(key) ? 'done before' : 'to do' }));
      out.table(rows, rows, [
        { header: 'STATE', value: ({ state }) => state },
        { header: 'WHAT', value: ({ what }) => what },
      ]);
      noteLeftOut(out, leftOut);
    },
  }),
];
