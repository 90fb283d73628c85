import { Button, FileButton, Group, Paper, Progress, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { type ImportProgress, useImport } from '../../api/health.ts';
import { Failure } from '../../parts/failure.tsx';
import { Page } from '../../parts/page.tsx';
import { acceptedFiles, tooLarge, withType } from './event-file.ts';
import { ImportReportView } from './import-report.tsx';
import { OperatorsOnly } from './operators-only.tsx';

export default function ImportPage() {
  return (
    <OperatorsOnly reason="Events are imported by operators, whom an administrator names.">
      <Page title="Import events" lead="From a file, as this API lists events.">
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
            A page, an array, or an event on each line. Each keeps its tracking id and its times; importing a file again
            changes nothing.
          </Text>
          <Group gap="sm">
            <FileButton accept={acceptedFiles} onChange={choose}>
              {(props) => (
                <Button variant="default" disabled={importing.isPending} {...props}>
                  Choose a file
                </Button>
              )}
            </FileButton>
            <Text size="sm" c={file ? undefined : 'dimmed'} style={{ overflowWrap: 'anywhere' }}>
              {file ? `${file.name}, ${file.size.toLocaleString()} bytes` : 'JSON, or lines of JSON (.ndjson)'}
            </Text>
          </Group>
          {problem && (
            <Text size="sm" c="var(--mantine-color-error)" role="alert">
              {problem}
            </Text>
          )}
          <Group>
            <Button disabled={!file || problem !== undefined} loading={importing.isPending} onClick={start}>
              Import
            </Button>
          </Group>
          {importing.isPending && <Sofar progress={progress} />}
          {importing.error && <Failure error={importing.error} title="The import ended early" />}
          {importing.error && progress && (
            <Text size="sm">What was taken before stays: {inWords(progress)} Import the file again to go on.</Text>
          )}
        </Stack>
      </Paper>
      {importing.data && <ImportReportView report={importing.data} name={file?.name ?? 'events'} />}
    </>
  );
}

const count = (of: number): string => of.toLocaleString();

const inWords = ({ read, imported, replaced, unchanged, refusedCount }: ImportProgress): string =>
  `${count(read)} read, ${count(imported)} new, ${count(replaced)} changed, ${count(unchanged)} as they were, ${count(refusedCount)} refused.`;

const Sofar = ({ progress }: { progress: ImportProgress | undefined }) => (
  <Stack gap="xs">
    <Text size="sm" role="status">
      {progress ? inWords(progress) : 'The file is being sent…'}
    </Text>
    <Progress
      value={progress ? (progress.bytes / Math.max(progress.totalBytes, 1)) * 100 : 100}
      animated={!progress}
      aria-label="Progress"
    />
  </Stack>
);
