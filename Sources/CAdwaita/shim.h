// SPDX-License-Identifier: Apache-2.0
#pragma once
// The window is for the versions in Debian 12 and newer ones. Newer headers mark functions as deprecated that have no
// replacement in Debian 12, and a warning ends the build. With these two lines, such deprecations do not count.
#define GDK_VERSION_MIN_REQUIRED GDK_VERSION_4_8
#define ADW_VERSION_MIN_REQUIRED ADW_VERSION_1_2
#include <adwaita.h>

// Signals. The object that Swift connects comes first ("swapped"), so that one function serves all signals without a
// result, another those with a pointer or a number as their first argument, and another those that return whether they
// handled something.
static inline gulong window_connect(
    gpointer object, const char *name, void (*call)(gpointer box), gpointer box, void (*drop)(gpointer box)) {
  return g_signal_connect_data(object, name, G_CALLBACK(call), box, (GClosureNotify)(void (*)(void))drop, G_CONNECT_SWAPPED);
}
static inline gulong window_connect_pointer(
    gpointer object, const char *name, void (*call)(gpointer box, gpointer argument), gpointer box,
    void (*drop)(gpointer box)) {
  return g_signal_connect_data(object, name, G_CALLBACK(call), box, (GClosureNotify)(void (*)(void))drop, G_CONNECT_SWAPPED);
}
static inline gulong window_connect_number(
    gpointer object, const char *name, void (*call)(gpointer box, guint argument), gpointer box,
    void (*drop)(gpointer box)) {
  return g_signal_connect_data(object, name, G_CALLBACK(call), box, (GClosureNotify)(void (*)(void))drop, G_CONNECT_SWAPPED);
}
static inline gulong window_connect_question(
    gpointer object, const char *name, gboolean (*call)(gpointer box), gpointer box, void (*drop)(gpointer box)) {
  return g_signal_connect_data(object, name, G_CALLBACK(call), box, (GClosureNotify)(void (*)(void))drop, G_CONNECT_SWAPPED);
}

// What a screen reader is told. The functions of GTK are variadic, which Swift does not import.
static inline void window_set_label(GtkWidget *widget, const char *text) {
  gtk_accessible_update_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
}
static inline void window_set_description(GtkWidget *widget, const char *text) {
  gtk_accessible_update_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text, -1);
}
static inline void window_set_invalid(GtkWidget *widget, gboolean is_invalid) {
  gtk_accessible_update_state(
      GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_STATE_INVALID,
      is_invalid ? GTK_ACCESSIBLE_INVALID_TRUE : GTK_ACCESSIBLE_INVALID_FALSE, -1);
}

// A box with a role of its own: that of a widget cannot be changed later.
static inline GtkWidget *window_make_box(GtkOrientation orientation, GtkAccessibleRole role) {
  return GTK_WIDGET(g_object_new(GTK_TYPE_BOX, "orientation", orientation, "accessible-role", role, NULL));
}
// The same around one widget. Tab stops at it, which a box does not allow.
static inline GtkWidget *window_make_frame(GtkAccessibleRole role) {
  return GTK_WIDGET(g_object_new(GTK_TYPE_FRAME, "accessible-role", role, "focusable", TRUE, NULL));
}

// A shortcut of a widget that activates an action, such as "<Control>n" and "app.new-request".
static inline void window_add_shortcut(GtkWidget *widget, const char *trigger, const char *action) {
  GtkEventController *controller = gtk_shortcut_controller_new();
  gtk_shortcut_controller_add_shortcut(
      GTK_SHORTCUT_CONTROLLER(controller),
      gtk_shortcut_new(gtk_shortcut_trigger_parse_string(trigger), gtk_named_action_new(action)));
  gtk_widget_add_controller(widget, controller);
}
// A shortcut of a widget that calls a function.
static inline void window_add_shortcut_call(
    GtkWidget *widget, const char *trigger, GtkShortcutFunc call, gpointer box, GDestroyNotify drop) {
  GtkEventController *controller = gtk_shortcut_controller_new();
  gtk_shortcut_controller_add_shortcut(
      GTK_SHORTCUT_CONTROLLER(controller),
      gtk_shortcut_new(gtk_shortcut_trigger_parse_string(trigger), gtk_callback_action_new(call, box, drop)));
  gtk_widget_add_controller(widget, controller);
}

// What makes a row movable with the mouse. The number says nothing: programs that would take a text get none.
static inline GtkDragSource *window_make_drag_source(void) {
  GtkDragSource *source = gtk_drag_source_new();
  GdkContentProvider *content = gdk_content_provider_new_typed(G_TYPE_UINT, 0);
  gtk_drag_source_set_actions(source, GDK_ACTION_MOVE);
  gtk_drag_source_set_content(source, content);
  g_object_unref(content);
  return source;
}
static inline GtkDropTarget *window_make_drop_target(void) {
  return gtk_drop_target_new(G_TYPE_UINT, GDK_ACTION_MOVE);
}

// Accelerators of one action.
static inline void window_set_accelerator(GtkApplication *application, const char *action, const char *accelerator) {
  const char *accelerators[] = {accelerator, NULL};
  gtk_application_set_accels_for_action(application, action, accelerators);
}

// A model of `count` rows, whose contents Swift has.
static inline GtkStringList *window_make_rows(void) { return gtk_string_list_new(NULL); }
static inline void window_splice_rows(GtkStringList *rows, guint position, guint removed, guint added) {
  const char **texts = g_new0(const char *, added + 1);
  for (guint index = 0; index < added; index++) texts[index] = "";
  gtk_string_list_splice(rows, position, removed, texts);
  g_free(texts);
}

static inline void window_add_style(const char *text) {
  GtkCssProvider *provider = gtk_css_provider_new();
  gtk_css_provider_load_from_data(provider, text, -1);
  gtk_style_context_add_provider_for_display(
      gdk_display_get_default(), GTK_STYLE_PROVIDER(provider), GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
  g_object_unref(provider);
}

// Constants that are macros with casts.
static const guint window_no_position = GTK_INVALID_LIST_POSITION;
static const int window_priority = G_PRIORITY_DEFAULT;
static const gboolean window_stop = GDK_EVENT_STOP;
