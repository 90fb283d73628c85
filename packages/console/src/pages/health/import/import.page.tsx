import { Button, FileButton, Group, Paper, Progress, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { type ImportProgress, useImport } from '../../../api/health/health.ts';
import { Failure } from '../../../components/feedback/failure.tsx';
import { Page } from '../../../components/layout/page.tsx';
import { formatSize } from '../../../components/text/format-size.ts';
import { OperatorsOnly } from '../operators-only.tsx';
import { acceptedFiles, tooLarge, withType } from './event-file.ts';
import { ImportReportView } from './import-report.tsx';

export default function ImportPage() {
  return (
    <OperatorsOnly reason="Only health operators can import events. Ask an administrator to make you one.">
      <Page title="Import events" description="Import a JSON file of health events, in the format of the API.">
        <Import />
      </Page>
    </OperatorsOnly>
  );
}

function Import() {
  const importing = useImport();
  const [file, setFile] = useState<File | null>(null);
  const [progress, setProgress] = useState<ImportProgress>();
  const problem = file ? tooLarge(file) : undefined;
  const choose = (chosen: File | null) => {
    importing.reset();
    setFile(chosen);
  };
  const start = () => {
    if (!file) return;
    setProgress(undefined);
    importing.mutate({ file: withType(file), onProgress: setProgress });
  };
  return (
    <>
      <Paper withBorder p="lg" maw={720}>
        <Stack>
          <Text size="sm">
            The file contains an API page, a JSON array, or one event per line. Events keep their tracking IDs and
            times. Importing a file twice changes nothing.
          </Text>
          <Group gap="sm">
            <FileButton accept={acceptedFiles} onChange={choose}>
              {(props) => (
                <Button variant="default" disabled={importing.isPending} {...props}>
                  Choose file
                </Button>
              )}
            </FileButton>
            <Text size="sm" c={file ? undefined : 'dimmed'} style={{ overflowWrap: 'anywhere' }}>
              {file ? `${file.name}, ${formatSize(file.size)}` : 'JSON or JSON Lines (.ndjson)'}
            </Text>
          </Group>
          {problem && (
            <Text size="sm" c="var(--mantine-color-error)" role="alert">
              {problem}
            </Text>
          )}
          <Group>
            <Button disabled={!file || problem !== undefined} loading={importing.isPending} onClick={start}>
              Import events
            </Button>
          </Group>
          {importing.isPending && <Sofar progress={progress} />}
          {importing.error && <Failure error={importing.error} title="Import stopped early" />}
          {importing.error && progress && (
            <Text size="sm">Imported so far: {formatProgress(progress)} Import the file again to continue.</Text>
          )}
        </Stack>
      </Paper>
      {importing.data && <ImportReportView report={importing.data} name={file?.name ?? 'events'} />}
    </>
  );
}

const count = (number: number): string => number.toLocaleString();

const formatProgress = ({ read, imported, replaced, unchanged, refusedCount }: ImportProgress): string =>
  `${count(read)} read, ${count(imported)} new, ${count(replaced)} updated, ${count(unchanged)} unchanged, ${count(refusedCount)} rejected.`;

const Sofar = ({ progress }: { progress: ImportProgress | undefined }) => (
  <Stack gap="xs">
    <Text size="sm" role="status">
      {progress ? formatProgress(progress) : 'Uploading the file…'}
    </Text>
    <Progress
      value={progress ? (progress.bytes / Math.max(progress.totalBytes, 1)) * 100 : 100}
      animated={!progress}
      aria-label="Progress"
    />
  </Stack>
);
