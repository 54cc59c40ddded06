// What the elements of the design system do beyond showing, such as places of menus and names of fields.
import '@digdir/designsystemet-web';
