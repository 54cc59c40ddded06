// The sign of the console: a ship at a quay, and the name.
import { Link } from 'wouter';
import { useMessages } from '../language/language-context.js';
import styles from './layout.module.css';
import { messages } from './messages.js';

export function Brand() {
  const text = useMessages(messages);
  return (
    <Link href="/" className={styles.brand}>
      <svg viewBox="0 0 32 32" aria-hidden="true">
        <rect width="32" height="32" rx="6" fill="#12355b" />
        <path d="M6 18h20l-4 7H10z" fill="#fff" />
        <path d="M12 8h8v8h-8z" fill="#7fb7d9" />
      </svg>
      {text.product}
    </Link>
  );
}
