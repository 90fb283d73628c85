import { Alert, Button, Group, Select, Stack, Text } from '@mantine/core';
import { type EndpointSpec, releaseUploads_put, symbolUploads_create, testRuns_import } from '@mooring/contract';
import { useState } from 'react';
import { type App, useApps } from '../../api/apps.ts';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { DialogButtons } from '../../components/dialogs/dialog-buttons.tsx';
import { QueryBoundary } from '../../components/feedback/query-boundary.tsx';
import { formatCount } from '../../components/text/format-count.ts';
import { formatSize } from '../../components/text/format-size.ts';
import { useCurrentPage } from '../../context/current-page.ts';
import { AppContext, toCurrentApp } from '../../context/permissions.ts';
import { NewRelease } from '../releases/new-release.tsx';
import { SymbolUpload } from '../symbols/upload-dialog.tsx';
import { ImportTests } from './import-tests.tsx';
import type { KnownFile } from './recognize.ts';

const titles = { package: 'Upload release', symbols: 'Upload symbols', tests: 'Import test report' } as const;
const operations: Record<KnownFile['as']['kind'], EndpointSpec> = {
  package: releaseUploads_put,
  symbols: symbolUploads_create,
  tests: testRuns_import,
};

/** Offers the action for dropped files, in an app of the user's choice. */
export function DropDialog({ files, onClose }: { files: KnownFile[]; onClose: () => void }) {
  const [first] = files;
  return (
    <Dialog opened onClose={onClose} title={first ? titles[first.as.kind] : 'Unknown file'} size="xl">
      {first ? (
        <KnownFiles files={files} kind={first.as.kind} onClose={onClose} />
      ) : (
        <Stack gap="md">
          <Alert color="yellow">
            None of the dropped files is a package, symbol file or JUnit report. Drop an .apk, .ipa, mapping.txt, dSYM,
            source map or JUnit XML file.
          </Alert>
          <DialogButtons>
            <Button onClick={onClose}>Close</Button>
          </DialogButtons>
        </Stack>
      )}
    </Dialog>
  );
}

interface KnownFilesProps {
  files: KnownFile[];
  kind: KnownFile['as']['kind'];
  onClose: () => void;
}

const fits = (app: App, { as }: KnownFile): boolean => {
  const { can } = toCurrentApp(app);
  return can(operations[as.kind]) && (as.kind !== 'package' || as.systems.includes(app.os ?? 'Custom'));
};

const getKey = ({ owner, name }: App): string => `${owner.name}/${name}`;

function KnownFiles({ files, kind, onClose }: KnownFilesProps) {
  const { app: current } = useCurrentPage();
  const apps = useApps();
  const [chosen, setChosen] = useState<string>();
  const [first] = files;
  return (
    <QueryBoundary query={apps}>
      {(all) => {
        const usable = all.filter((app) => first && fits(app, first));
        const app =
          usable.find((one) => getKey(one) === chosen) ??
          usable.find((one) => current && getKey(one) === getKey(current)) ??
          usable[0];
        if (!first || !app)
          return (
            <Alert color="yellow">
              You have no app that takes this file. Ask a manager of the app for the Developer role.
            </Alert>
          );
        return (
          <Stack gap="md">
            <Text size="sm">
              <b>{first.path}</b>
              {files.length > 1 && ` and ${formatCount(files.length - 1, 'more file')}`}: {first.as.label},{' '}
              {formatSize(files.reduce((sum, { file }) => sum + file.size, 0))}
            </Text>
            <Select
              label="App"
              data={usable.map((one) => ({
                value: getKey(one),
                label: `${one.display_name} (${one.os}), ${getKey(one)}`,
              }))}
              value={getKey(app)}
              onChange={(value) => setChosen(value ?? undefined)}
              allowDeselect={false}
              searchable
            />
            <AppContext value={toCurrentApp(app)}>
              <Action key={getKey(app)} kind={kind} files={files} onClose={onClose} />
            </AppContext>
          </Stack>
        );
      }}
    </QueryBoundary>
  );
}

/** A package under another name, such as an .apk that a browser saved as .zip. */
const withExtension = (file: File, extension: string): File =>
  file.name.toLowerCase().endsWith(`.${extension}`)
    ? file
    : new File([file], `${file.name.replace(/\.\w+$/, '')}.${extension}`);

function Action({ kind, files, onClose }: KnownFilesProps) {
  const [isStarted, setStarted] = useState(false);
  const [first] = files;
  if (!first) return null;
  if (kind === 'tests') return <ImportTests file={first.file} onClose={onClose} />;
  if (kind === 'symbols')
    return (
      <SymbolUpload
        initial={files.flatMap(({ path, file, as }) =>
          as.kind === 'symbols' ? [{ path, file, kind: as.symbolKind }] : [],
        )}
        onClose={onClose}
      />
    );
  if (isStarted && first.as.kind === 'package')
    return <NewRelease initial={withExtension(first.file, first.as.extension)} onClose={onClose} />;
  return (
    <Group justify="flex-end">
      <Button variant="default" onClick={onClose}>
        Cancel
      </Button>
      <Button onClick={() => setStarted(true)}>Upload release</Button>
    </Group>
  );
}
