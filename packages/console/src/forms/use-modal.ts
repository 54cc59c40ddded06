// A dialog that is open as long as it is rendered.
import { type RefObject, useLayoutEffect, useRef } from 'react';

/** The dialog. When it is gone, the focus is where it was before, so that the keyboard goes on there. */
export function useModal(): RefObject<HTMLDialogElement | null> {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const { current } = dialog;
    if (!current?.open) current?.showModal();
    // Only a dialog that is closed gives the focus back, and not one that is removed.
    return () => current?.close();
  }, []);
  return dialog;
}
