import { Alert, Button, Group, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useImportTests } from '../../api/builds/tests.ts';
import { DialogButtons } from '../../components/dialogs/dialog-buttons.tsx';
import { Failure } from '../../components/feedback/failure.tsx';
import { useCurrentApp } from '../../context/permissions.ts';
import { pathTo } from '../../paths.ts';
import { getSeries } from '../device-tests/run-labels.tsx';

/** Imports a JUnit report as a test run. */
export function ImportTests({ file, onClose }: { file: File; onClose: () => void }) {
  const { appRef, params } = useCurrentApp();
  const navigate = useNavigate();
  const importing = useImportTests(appRef);
  const [device, setDevice] = useState('');
  const [series, setSeries] = useState('');
  if (importing.data) {
    const { data: run } = importing;
    const { passed, failed } = run.stats;
    return (
      <Stack gap="md">
        <Alert color={failed > 0 ? 'yellow' : 'green'} role="status">
          Imported the test report: {passed} passed, {failed} failed.
        </Alert>
        <DialogButtons>
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
          <Button
            onClick={() => {
              onClose();
              void navigate(pathTo('appTestRun', { ...params, series: getSeries(run), run: run.id }));
            }}
          >
            Open test run
          </Button>
        </DialogButtons>
      </Stack>
    );
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        importing.mutate({ file, device: device.trim(), series: series.trim() });
      }}
    >
      <Stack gap="md">
        {importing.error && <Failure error={importing.error} title="Couldn't import the test report" />}
        <Group grow align="flex-start">
          <TextInput
            label="Device (optional)"
            description="Where the tests ran"
            maxLength={100}
            value={device}
            onChange={({ currentTarget }) => setDevice(currentTarget.value)}
          />
          <TextInput
            label="Test series (optional)"
            description="Runs of a series are compared with each other"
            maxLength={100}
            value={series}
            onChange={({ currentTarget }) => setSeries(currentTarget.value)}
          />
        </Group>
        <DialogButtons>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={importing.isPending}>
            Import test report
          </Button>
        </DialogButtons>
      </Stack>
    </form>
  );
}
