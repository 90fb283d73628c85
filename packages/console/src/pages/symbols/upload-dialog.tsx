import { Button, Code, FileButton, Group, Paper, Progress, Stack, Table, Text, TextInput } from '@mantine/core';
import { releases_list } from '@mooring/contract';
import { IconUpload } from '@tabler/icons-react';
import { useState } from 'react';
import { useReleases } from '../../api/releases/releases.ts';
import { useMissingSymbols, useSymbolUpload } from '../../api/telemetry/symbols.ts';
import { DialogButton } from '../../components/dialogs/dialog-button.tsx';
import { DialogButtons } from '../../components/dialogs/dialog-buttons.tsx';
import { useDialogGuard } from '../../components/dialogs/dialog-guard.ts';
import { getErrorMessage } from '../../components/feedback/failure.tsx';
import { formatCount } from '../../components/text/format-count.ts';
import { useCurrentApp } from '../../context/permissions.ts';
import { type DroppedFile, readDropped } from './dropped-files.ts';
import { detectSymbolKind, isVersioned, type SymbolKind } from './symbol-kinds.ts';
import { SymbolicationProgress } from './symbolication-progress.tsx';

export const UploadButton = () => (
  <DialogButton label="Upload symbols" width="xl" leftSection={<IconUpload size={16} aria-hidden />}>
    {(close) => <SymbolUpload onClose={close} />}
  </DialogButton>
);

interface Row extends DroppedFile {
  kind: SymbolKind;
  /** From 0 to 1. */
  sent: number;
  state: 'waiting' | 'sending' | 'sent' | 'failed';
  reason?: string;
}

const kindLabels: Record<SymbolKind, string> = {
  Apple: 'dSYM',
  AndroidProguard: 'Mapping',
  Breakpad: 'Breakpad, .so',
  JavaScript: 'Source map',
  UWP: 'PDB',
};

interface SymbolUploadProps {
  /** Files that were recognized already. */
  initial?: (DroppedFile & { kind: SymbolKind })[];
  onClose: () => void;
}

/** Uploads symbol files, and follows the reports that they make readable. */
export function SymbolUpload({ initial = [], onClose }: SymbolUploadProps) {
  const { app, appRef } = useCurrentApp();
  const [rows, setRows] = useState<Row[]>(initial.map((one) => ({ ...one, sent: 0, state: 'waiting' })));
  const [passedOver, setPassedOver] = useState(0);
  const [sentAt, setSentAt] = useState<number>();
  const suggested = useSuggestedVersion(rows.some(({ kind }) => isVersioned(kind)));
  const [typedVersion, setVersion] = useState<string>();
  const [typedBuild, setBuild] = useState<string>();
  const [version, build] = [typedVersion ?? suggested.version, typedBuild ?? suggested.build];
  const upload = useSymbolUpload(appRef);
  const isSending = rows.some(({ state }) => state === 'sending');
  const waiting = rows.filter(({ state }) => state === 'waiting' || state === 'failed');
  const needsVersion = waiting.some(({ kind }) => isVersioned(kind));
  const isReady = waiting.length > 0 && (!needsVersion || (version.trim() !== '' && build.trim() !== ''));
  useDialogGuard(isSending ? 'Files that are not uploaded yet will be skipped.' : undefined);

  const add = (files: DroppedFile[]) => {
    const newRows = files.flatMap((one): Row[] => {
      const kind = detectSymbolKind(one.path, app.os);
      return kind ? [{ ...one, kind, sent: 0, state: 'waiting' }] : [];
    });
    setPassedOver(files.length - newRows.length);
    setRows((before) => [...before.filter(({ path }) => !newRows.some((one) => one.path === path)), ...newRows]);
  };
  const update = (path: string, changes: Partial<Row>) =>
    setRows((before) => before.map((row) => (row.path === path ? { ...row, ...changes } : row)));
  const send = async () => {
    const start = Date.now();
    for (const { path, file, kind } of waiting) {
      update(path, { state: 'sending', sent: 0 });
      try {
        const ofVersion = isVersioned(kind) ? { version: version.trim(), build: build.trim() } : {};
        await upload.mutateAsync({ file, kind, ...ofVersion, onProgress: (sent) => update(path, { sent }) });
        update(path, { state: 'sent', sent: 1 });
      } catch (error) {
        update(path, { state: 'failed', reason: getErrorMessage(error) });
        continue;
      }
      setSentAt(start);
    }
  };
  return (
    <Stack gap="md">
      <Paper
        withBorder
        p="xl"
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault();
          void readDropped(event.dataTransfer).then(add);
        }}
      >
        <Stack align="center" gap="sm">
          <Text size="sm" ta="center">
            Drop dSYMs, <Code>mapping.txt</Code>, <Code>.so</Code> or <Code>.sym</Code> files, source maps, .zip files
            or whole folders here.
          </Text>
          <FileButton
            multiple
            onChange={(files) => add(files.map((file) => ({ path: file.name, file })))}
            accept=".zip,.txt,.map,.so,.sym,.appxsym"
          >
            {(props) => (
              <Button variant="default" {...props}>
                Choose files
              </Button>
            )}
          </FileButton>
        </Stack>
      </Paper>
      {passedOver > 0 && (
        <Text size="sm" c="dimmed">
          Skipped {formatCount(passedOver, 'file')} without symbols.
        </Text>
      )}
      {needsVersion && (
        <Group grow align="flex-start">
          <TextInput
            label="Version"
            description="As shown in crash reports"
            maxLength={200}
            value={version}
            onChange={({ currentTarget }) => setVersion(currentTarget.value)}
          />
          <TextInput
            label="Build"
            description="As shown in crash reports"
            maxLength={200}
            value={build}
            onChange={({ currentTarget }) => setBuild(currentTarget.value)}
          />
        </Group>
      )}
      {rows.length > 0 && <Files rows={rows} />}
      {sentAt !== undefined && !isSending && <SymbolicationProgress since={sentAt} />}
      <DialogButtons>
        <Button variant="default" onClick={onClose}>
          {waiting.length === 0 && rows.length > 0 && !isSending ? 'Done' : 'Cancel'}
        </Button>
        <Button disabled={!isReady} loading={isSending} onClick={() => void send()}>
          Upload symbols
        </Button>
      </DialogButtons>
    </Stack>
  );
}

/** The version that reports wait for, or the newest release. */
function useSuggestedVersion(isNeeded: boolean): { version: string; build: string } {
  const { appRef, can } = useCurrentApp();
  const missing = useMissingSymbols(appRef).data;
  const releases = useReleases(appRef, isNeeded && can(releases_list)).data;
  const [needed] = (missing ?? [])
    .filter(({ type, status }) => type === 'AndroidProguard' && status === 'missing')
    .toSorted((a, b) => b.reports - a.reports);
  const [newest] = releases ?? [];
  return { version: needed?.version ?? newest?.short_version ?? '', build: needed?.build ?? newest?.version ?? '' };
}

const stateLabels: Record<Row['state'], string> = {
  waiting: 'Not uploaded yet',
  sending: 'Uploading',
  sent: 'Uploaded; processing',
  failed: 'Failed',
};

const Files = ({ rows }: { rows: Row[] }) => (
  <Table aria-label="Files to upload">
    <Table.Thead>
      <Table.Tr>
        <Table.Th>File</Table.Th>
        <Table.Th>Type</Table.Th>
        <Table.Th>Status</Table.Th>
      </Table.Tr>
    </Table.Thead>
    <Table.Tbody>
      {rows.map(({ path, kind, state, sent, reason }) => (
        <Table.Tr key={path}>
          <Table.Td style={{ overflowWrap: 'anywhere' }}>{path}</Table.Td>
          <Table.Td>{kindLabels[kind]}</Table.Td>
          <Table.Td>
            {state === 'sending' ? (
              <Progress value={sent * 100} aria-label={`Upload of ${path}`} />
            ) : (
              <Text size="sm" c={state === 'failed' ? 'red' : undefined}>
                {reason && state === 'failed' ? reason : stateLabels[state]}
              </Text>
            )}
          </Table.Td>
        </Table.Tr>
      ))}
    </Table.Tbody>
  </Table>
);
