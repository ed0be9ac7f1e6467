// Command engine is a whole Kubernetes control plane in one binary: etcd, kube-apiserver, kube-controller-manager and
// kube-scheduler, each run as a process of its own by its sub-command:
//
//	engine etcd --data-dir DIR --socket PATH [--unsafe-no-fsync]
//	engine kube-apiserver|kube-controller-manager|kube-scheduler [the component's own flags]
//
// The process that starts it holds the write end of its standard input and never writes: when that pipe closes, for
// whatever reason, the component ends. So nothing outlives its parent, not even one that was killed.
package main

import (
	"flag"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/signal"
	"syscall"
	"time"
	_ "time/tzdata" // time zones of CronJobs, where the machine has no zone files

	"github.com/spf13/cobra"
	"go.etcd.io/etcd/server/v3/embed"
	"k8s.io/component-base/cli"
	_ "k8s.io/component-base/logs/json/register"
	_ "k8s.io/component-base/metrics/prometheus/clientgo"
	_ "k8s.io/component-base/metrics/prometheus/version"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	controllermanager "k8s.io/kubernetes/cmd/kube-controller-manager/app"
	scheduler "k8s.io/kubernetes/cmd/kube-scheduler/app"
)

func main() {
	if len(os.Args) < 2 {
		usage()
	}
	component := os.Args[1]
	os.Args = append([]string{component}, os.Args[2:]...)
	// Only the component asked for is constructed: each installs process-wide signal handlers and flags.
	switch component {
	case "etcd":
		if err := runEtcd(os.Args[1:], parentGone()); err != nil {
			fmt.Fprintln(os.Stderr, "etcd:", err)
			os.Exit(1)
		}
	case "kube-apiserver":
		runStateless(apiserver.NewAPIServerCommand())
	case "kube-controller-manager":
		runStateless(controllermanager.NewControllerManagerCommand())
	case "kube-scheduler":
		runStateless(scheduler.NewSchedulerCommand())
	default:
		usage()
	}
}

func usage() {
	fmt.Fprintln(os.Stderr, "usage: engine etcd|kube-apiserver|kube-controller-manager|kube-scheduler [flags]")
	os.Exit(2)
}

// runStateless runs a component that keeps nothing but what etcd holds, so that it may end at any moment.
func runStateless(command *cobra.Command) {
	gone := parentGone()
	go func() {
		<-gone
		os.Exit(0)
	}()
	os.Exit(cli.Run(command))
}

// parentGone gives a channel that closes when standard input does.
func parentGone() <-chan struct{} {
	gone := make(chan struct{})
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		close(gone)
	}()
	return gone
}

// runEtcd serves one member on unix sockets: no port, no certificates, reachable only by who may enter the directory.
func runEtcd(args []string, gone <-chan struct{}) error {
	flags := flag.NewFlagSet("etcd", flag.ExitOnError)
	dataDir := flags.String("data-dir", "", "where the database is kept")
	socket := flags.String("socket", "", "path of the unix socket to serve on; relative to the working directory to stay short")
	noFsync := flags.Bool("unsafe-no-fsync", false, "do not wait for the disk: a crash of the machine may lose data")
	quota := flags.Int64("quota-backend-bytes", 8<<30, "size the database may reach")
	logLevel := flags.String("log-level", "warn", "debug, info, warn or error")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *dataDir == "" || *socket == "" {
		return fmt.Errorf("--data-dir and --socket are required")
	}

	// The advertised addresses keep their defaults: etcd wants a host and port there, and no other member ever asks.
	config := embed.NewConfig()
	config.Name = "engine"
	config.Dir = *dataDir
	config.ListenClientUrls = []url.URL{{Scheme: "unix", Host: *socket}}
	config.ListenPeerUrls = []url.URL{{Scheme: "unix", Host: *socket + ".peer"}}
	config.InitialCluster = config.InitialClusterFromName(config.Name)
	config.UnsafeNoFsync = *noFsync
	config.QuotaBackendBytes = *quota
	config.LogLevel = *logLevel
	// The API server compacts by itself every five minutes; this is a second bound where it does not run.
	config.AutoCompactionMode, config.AutoCompactionRetention = embed.CompactorModePeriodic, "1h"

	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGINT, syscall.SIGTERM)
	server, err := embed.StartEtcd(config)
	if err != nil {
		return err
	}
	select {
	case err := <-server.Err():
		return err
	case <-stop:
	case <-gone:
	}
	// A clean close leaves the write-ahead log in order; a slow one must not hold up whoever waits for our end.
	go func() {
		time.Sleep(5 * time.Second)
		os.Exit(1)
	}()
	server.Close()
	return nil
}
