// Leaving a space: the browser forgets it, and other tabs notice.
import { Button } from '@digdir/designsystemet-react';
import { useMutation } from '@tanstack/react-query';
import { useMessages } from '../../language/language-context.js';
import { hosting, leaveSpace, reasonOf } from '../../playground/hosting.js';
import { tellOtherTabs } from '../../session/other-tabs.js';
import { Notice } from '../../states/states.js';
import { messages } from './messages.js';

export function LeaveSpace() {
  const text = useMessages(messages);
  const leaving = useMutation({
    networkMode: 'always',
    mutationFn: async () => {
      await hosting.call(leaveSpace, {});
      enterConsole();
    },
  });
  return (
    <>
      {leaving.isError && (
        <Notice color="danger" title={text.notDone} text={reasonOf(leaving.error)} />
      )}
      <Button variant="secondary" data-size="sm" onClick={() => leaving.mutate()}>
        {text.leave}
      </Button>
    </>
  );
}

/** Loads the console anew, which is now one of another space or of none. */
export function enterConsole(): void {
  tellOtherTabs();
  location.assign('/console/');
}
