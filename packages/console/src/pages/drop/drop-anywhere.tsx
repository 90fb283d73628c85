import { Portal, Text } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { toast } from '../../components/feedback/toasts.ts';
import { type DroppedFile, readDropped } from '../symbols/dropped-files.ts';
import classes from './drop-anywhere.module.css';
import { DropDialog } from './drop-dialog.tsx';
import { type KnownFile, recognize } from './recognize.ts';

const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes('Files') === true;

/** Recognizes files that are dropped on any page, and offers the action for them. */
export default function DropAnywhere() {
  const [isOver, setOver] = useState(true);
  const [files, setFiles] = useState<KnownFile[]>();
  useEffect(() => {
    const enter = (event: DragEvent) => hasFiles(event) && setOver(true);
    // Leaving the window has no related target; moving between elements has one.
    const leave = (event: DragEvent) => event.relatedTarget === null && setOver(false);
    const drop = (event: DragEvent) => {
      setOver(false);
      // A drop zone of the page took the files.
      if (event.defaultPrevented || !event.dataTransfer || !hasFiles(event)) return;
      event.preventDefault();
      void readDropped(event.dataTransfer)
        .then(recognizeAll)
        .then(setFiles, () => toast("Couldn't read the dropped files. Try again."));
    };
    document.addEventListener('dragenter', enter);
    document.addEventListener('dragleave', leave);
    document.addEventListener('drop', drop);
    return () => {
      document.removeEventListener('dragenter', enter);
      document.removeEventListener('dragleave', leave);
      document.removeEventListener('drop', drop);
    };
  }, []);
  return (
    <>
      {isOver && (
        <Portal>
          <div className={classes.overlay} role="status">
            <div className={classes.frame}>
              <IconUpload size={32} aria-hidden />
              <Text fw={600}>Drop files anywhere</Text>
              <Text size="sm" c="dimmed">
                A package becomes a release. A mapping, dSYM, source map or other symbols make crashes readable. A JUnit
                report becomes a test run.
              </Text>
            </div>
          </div>
        </Portal>
      )}
      {files && <DropDialog files={files} onClose={() => setFiles(undefined)} />}
    </>
  );
}

/** The recognized files of one kind: a package before symbols, and symbols before test reports. */
async function recognizeAll(dropped: readonly DroppedFile[]): Promise<KnownFile[]> {
  const known: KnownFile[] = [];
  for (const one of dropped) {
    const as = await recognize(one.file, one.path);
    if (as) known.push({ ...one, as });
  }
  for (const kind of ['package', 'symbols', 'tests'] as const) {
    const some = known.filter(({ as }) => as.kind === kind);
    if (some.length > 0) return some;
  }
  return [];
}
